import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ControlStore } from '../control/store.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { Scheduler } from '../detection/evaluation/scheduler.ts';
import { errorBody, refusalOf } from '../http/error-reply.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Log } from '../platform/log.ts';
import type { QueryLanguage } from '../querying/language.ts';
import type { QueryRunner } from '../querying/runner.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { backup } from './backup.ts';
import { listDeliveries, releaseDeliveries, resendDeliveries } from './deliveries.ts';
import { shownEvaluations } from './evaluations.ts';
import { explainQuery } from './explain.ts';
import { forgetRetiredKeys } from './forget.ts';
import { Progress } from './progress.ts';
import { restore } from './restore.ts';
import { rotateSecretKey } from './rotate.ts';
import { verifyFiles } from './verify.ts';

export interface OperatorDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
  readonly keyring: Keyring;
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly deliveries: Deliveries;
  /** Tells what sends that there is something to do. */
  readonly wakeSender: () => void;
  readonly scheduler: Pick<Scheduler, 'entries' | 'circumstances'>;
  readonly dataDirectory: string;
  /** Names the telemetry of this data directory. */
  readonly place: string;
  readonly isConfigured: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export const operatorHeader = 'vedette-operator';
/** The system's limit for the path of a socket. */
const longestPath = 100;
/** A backup that nobody reads for so long is given up, because nothing is removed while it lasts. */
const longestSilence = 600_000;

export function operatorSocket(dataDirectory: string): string {
  return join(dataDirectory, 'operator.sock');
}

/**
 * Where the `vedette` command reaches the running server for what only the server can do. A socket in the data
 * directory, because whoever can open it could read the data anyway; no API key can.
 */
export async function listenForOperator(deps: OperatorDeps): Promise<{ close(): Promise<void> }> {
  const path = operatorSocket(deps.dataDirectory);
  if (Buffer.byteLength(path) > longestPath) {
    deps.log.warn(
      'the path of the data directory is too long for a socket: backup, restore, verification, key rotation, plans of queries and the lists of deliveries and evaluations are not offered',
    );
    return { close: async () => {} };
  }
  rmSync(path, { force: true });
  const stopping = new AbortController();
  const desk = { turn: new Turn(), progress: new Progress(), stopping: stopping.signal };
  const server = createServer((request, response) => {
    answer({ ...deps, ...desk }, request, response).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal.code === 'INTERNAL') deps.log.error({ error: String(error) }, 'an operator command failed');
      if (response.headersSent) return response.destroy();
      return send(response, refusal.status, errorBody(refusal, 'operator'));
    });
  });
  // A restore may take as long as it takes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  chmodSync(path, 0o600);
  const stop = async () => {
    // A backup or a verification may take hours, and can be begun again.
    stopping.abort(new Error('the server stops'));
    await close(server, path);
  };
  return { close: stop };
}

interface CommandContext extends OperatorDeps {
  readonly turn: Turn;
  readonly progress: Progress;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

async function answer(
  desk: CommandContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const userName = String(request.headers[operatorHeader] ?? 'operator');
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://operator');
  switch (`${request.method} ${pathname}`) {
    case 'POST /backup':
      return desk.turn.take(() => sendBackup(desk, searchParams, response));
    case 'POST /restore':
      return send(
        response,
        200,
        await desk.turn.take(() => {
          const isHeld = !searchParams.has('deliver');
          return restore(request, { ...desk, userName, isHeld });
        }),
      );
    case 'POST /secret-key/rotate':
      return send(response, 200, await desk.turn.take(() => rotateSecretKey({ ...desk, userName })));
    case 'POST /secret-key/forget': {
      const isConfirmed = searchParams.has('yes');
      const forgotten = desk.turn.take(() => forgetRetiredKeys({ ...desk, userName, isConfirmed }));
      return send(response, 200, await forgotten);
    }
    case 'POST /verify':
      return send(response, 200, await desk.turn.take(() => verifyFiles(desk, leaving(desk, response))));
    case 'POST /query/explain':
      return send(response, 200, await explainQuery(await buffer(request), desk));
    case 'GET /deliveries':
      return send(response, 200, await listDeliveries(searchParams, { ...desk, userName }));
    case 'POST /deliveries/resend':
      return send(response, 200, await resendDeliveries(searchParams, { ...desk, userName }));
    case 'POST /deliveries/release':
      return send(response, 200, await releaseDeliveries({ ...desk, userName }));
    case 'GET /evaluations':
      return send(response, 200, await shownEvaluations(desk));
    case 'GET /progress':
      return send(response, 200, desk.progress);
    default:
      throw new Refusal('NOT_FOUND', 'Unknown command: the server may be older than this program.');
  }
}

/** Aborts when nobody waits for the answer any more, or the server stops. */
function leaving({ stopping }: CommandContext, response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('nobody waits for the answer')));
  return AbortSignal.any([gone.signal, stopping]);
}

async function sendBackup(
  desk: CommandContext,
  wishes: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const archive = backup({
    store: desk.store,
    telemetry: wishes.has('without-telemetry') ? undefined : desk.telemetry,
    createdAt: formatInstant(desk.clock.now()),
    place: desk.place,
    secretKeys: wishes.has('with-key') ? desk.keyring.materials : undefined,
    progress: desk.progress,
  });
  response.setTimeout(longestSilence, () => archive.destroy(new Error('nobody reads the backup')));
  response.writeHead(200, { 'content-type': 'application/gzip' });
  await pipeline(archive, response, { signal: desk.stopping });
}

/** One at a time: a restore between two steps of a rotation would bring back texts that no key opens any more. */
class Turn {
  #taken = false;

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#taken)
      throw new Refusal(
        'CONFLICT',
        'Another backup, restore, verification or key rotation is running: try again after it ends.',
      );
    this.#taken = true;
    try {
      return await work();
    } finally {
      this.#taken = false;
    }
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function close(server: Server, path: string): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      rmSync(path, { force: true });
      resolve();
    });
    server.closeIdleConnections();
  });
}

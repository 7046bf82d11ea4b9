import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ControlStore } from '../control/store.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { Scheduler } from '../detection/evaluation/scheduler.ts';
import { errorBody, refusalOf } from '../http/error-reply.ts';
import type { NewLink } from '../identity/sign-in-links.ts';
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
import { listEvaluations } from './evaluations.ts';
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
  /** Wakes the sender. */
  readonly wakeSender: () => void;
  readonly scheduler: Pick<Scheduler, 'entries' | 'circumstances'>;
  /** Creates a sign-in link, by default for the first administrator. */
  readonly createLink: (userName: string, email?: string) => Promise<NewLink>;
  readonly dataDirectory: string;
  /** Id of this data directory. */
  readonly place: string;
  readonly isConfigured: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export const operatorHeader = 'vedette-operator';
/** Below the system limit of a socket path. */
const maxPathBytes = 100;
/** Timeout of a stalled backup, because nothing is removed while it runs. */
const stallTimeout = 600_000;

export function operatorSocket(dataDirectory: string): string {
  return join(dataDirectory, 'operator.sock');
}

/**
 * The socket through which the `vedette` command controls the running server. It is in the data directory, because
 * anyone who can open it could read the data anyway; API keys have no access.
 */
export async function listenForOperator(deps: OperatorDeps): Promise<{ close(): Promise<void> }> {
  const path = operatorSocket(deps.dataDirectory);
  if (Buffer.byteLength(path) > maxPathBytes) {
    deps.log.warn(
      'the path of the data directory is too long for a socket: backup, restore, verification, key rotation, sign-in links, query plans and the lists of deliveries and evaluations are unavailable',
    );
    return { close: async () => {} };
  }
  rmSync(path, { force: true });
  const stopping = new AbortController();
  const context = { lock: new ExclusiveLock(), progress: new Progress(), stopping: stopping.signal };
  const server = createServer((request, response) => {
    respond({ ...deps, ...context }, request, response).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal.code === 'INTERNAL') deps.log.error({ error: String(error) }, 'an operator command failed');
      if (response.headersSent) return response.destroy();
      return send(response, refusal.status, errorBody(refusal, 'operator'));
    });
  });
  // A restore may take any time.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  chmodSync(path, 0o600);
  const stop = async () => {
    // A backup or verification may take hours and can be repeated.
    stopping.abort(new Error('the server stops'));
    await close(server, path);
  };
  return { close: stop };
}

interface CommandContext extends OperatorDeps {
  readonly lock: ExclusiveLock;
  readonly progress: Progress;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

async function respond(
  context: CommandContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const userName = String(request.headers[operatorHeader] ?? 'operator');
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://operator');
  switch (`${request.method} ${pathname}`) {
    case 'POST /backup':
      return context.lock.run(() => sendBackup(context, searchParams, response));
    case 'POST /restore':
      return send(
        response,
        200,
        await context.lock.run(() => {
          const isHeld = !searchParams.has('deliver');
          return restore(request, { ...context, userName, isHeld });
        }),
      );
    case 'POST /secret-key/rotate':
      return send(response, 200, await context.lock.run(() => rotateSecretKey({ ...context, userName })));
    case 'POST /secret-key/forget': {
      const isConfirmed = searchParams.has('yes');
      const forgotten = context.lock.run(() => forgetRetiredKeys({ ...context, userName, isConfirmed }));
      return send(response, 200, await forgotten);
    }
    case 'POST /verify':
      return send(
        response,
        200,
        await context.lock.run(() => verifyFiles(context, disconnectSignal(context, response))),
      );
    case 'POST /query/explain':
      return send(response, 200, await explainQuery(await buffer(request), context));
    case 'GET /deliveries':
      return send(response, 200, await listDeliveries(searchParams, { ...context, userName }));
    case 'POST /deliveries/resend':
      return send(response, 200, await resendDeliveries(searchParams, { ...context, userName }));
    case 'POST /deliveries/release':
      return send(response, 200, await releaseDeliveries({ ...context, userName }));
    case 'GET /evaluations':
      return send(response, 200, await listEvaluations(context));
    case 'POST /sign-in-link':
      return send(response, 200, await context.createLink(userName, searchParams.get('user') ?? undefined));
    case 'GET /progress':
      return send(response, 200, context.progress);
    default:
      throw new Refusal('NOT_FOUND', 'Unknown command: the server may be older than this program.');
  }
}

/** Aborts when the client disconnects or the server stops. */
function disconnectSignal({ stopping }: CommandContext, response: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort(new Error('the client disconnected')));
  return AbortSignal.any([disconnected.signal, stopping]);
}

async function sendBackup(
  context: CommandContext,
  options: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const archive = backup({
    store: context.store,
    telemetry: options.has('without-telemetry') ? undefined : context.telemetry,
    createdAt: formatInstant(context.clock.now()),
    place: context.place,
    secretKeys: options.has('with-key') ? context.keyring.materials : undefined,
    progress: context.progress,
  });
  response.setTimeout(stallTimeout, () => archive.destroy(new Error('the backup was not read in time')));
  response.writeHead(200, { 'content-type': 'application/gzip' });
  await pipeline(archive, response, { signal: context.stopping });
}

/** Mutual exclusion: a restore during a rotation would bring back secrets that no key can decrypt. */
class ExclusiveLock {
  #isHeld = false;

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isHeld)
      throw new Refusal(
        'CONFLICT',
        'Another backup, restore, verification or key rotation is running: try again after it ends.',
      );
    this.#isHeld = true;
    try {
      return await work();
    } finally {
      this.#isHeld = false;
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

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ControlStore } from '../control/store.ts';
import { errorBody, refusalOf } from '../http/error-reply.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Log } from '../platform/log.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';
import { rotateSecretKey } from './rotate.ts';

export interface OperatorParts {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly dataDirectory: string;
  readonly isConfigured: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export const operatorHeader = 'vedette-operator';
/** The system's limit for the path of a socket. */
const longestPath = 100;

export function operatorSocket(dataDirectory: string): string {
  return join(dataDirectory, 'operator.sock');
}

/**
 * Where the `vedette` command reaches the running server for what only the server can do. A socket in the data
 * directory, because whoever can open it could read the data anyway; no API key can.
 */
export async function listenForOperator(parts: OperatorParts): Promise<{ close(): Promise<void> }> {
  const path = operatorSocket(parts.dataDirectory);
  if (Buffer.byteLength(path) > longestPath) {
    parts.log.warn(
      'the path of the data directory is too long for a socket: backup, restore and key rotation are not offered',
    );
    return { close: async () => {} };
  }
  rmSync(path, { force: true });
  const turn = new Turn();
  const server = createServer((request, response) => {
    answer(parts, turn, request, response).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal.code === 'INTERNAL')
        parts.log.error({ error: String(error) }, 'an operator command failed');
      if (response.headersSent) return response.destroy();
      return send(response, refusal.status, errorBody(refusal, 'operator'));
    });
  });
  // A restore may take as long as it takes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  chmodSync(path, 0o600);
  return { close: () => close(server, path) };
}

async function answer(
  parts: OperatorParts,
  turn: Turn,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const userName = String(request.headers[operatorHeader] ?? 'operator');
  switch (`${request.method} ${request.url}`) {
    case 'POST /backup':
    case 'POST /backup?with-key': {
      const keys = request.url?.endsWith('with-key') ? parts.keyring.materials : undefined;
      response.writeHead(200, { 'content-type': 'application/gzip' });
      return pipeline(backup(parts.store, formatInstant(parts.clock.now()), keys), response);
    }
    case 'POST /restore':
      return send(response, 200, await turn.take(() => restore(request, { ...parts, userName })));
    case 'POST /secret-key/rotate':
      return send(response, 200, await turn.take(() => rotateSecretKey({ ...parts, userName })));
    default:
      throw new Refusal(
        'NOT_FOUND',
        'The server does not know this command: it may be older than this program.',
      );
  }
}

/** One at a time: a restore between two steps of a rotation would bring back texts that no key opens any more. */
class Turn {
  #taken = false;

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#taken)
      throw new Refusal('CONFLICT', 'Another restore or key rotation is running: try again when it is done.');
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

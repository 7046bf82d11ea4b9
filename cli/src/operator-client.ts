import { type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { operatorHeader, operatorSocket } from '@vedette/server/operator/socket';
import type { CommandContext } from './context.ts';
import { Progress } from './progress.ts';
import { UsageError } from './usage-error.ts';

/** Sends a request to the operator socket of the running server. */
export async function operatorRequest(
  context: CommandContext,
  method: 'GET' | 'POST',
  path: string,
  body?: Readable,
): Promise<IncomingMessage> {
  const socketPath = operatorSocket(context.dataDirectory);
  const outgoing = request({ socketPath, path, method, headers: { [operatorHeader]: context.operator } });
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', (error: NodeJS.ErrnoException) =>
      reject(connectionError(error, context.dataDirectory)),
    );
  });
  // A failure also fails the request, which reports it.
  if (body) pipeline(body, outgoing).catch(() => {});
  else outgoing.end();
  const response = await responded;
  if (response.statusCode === 200) return response;
  const { message } = (await readJson(response)) as { message: string };
  // Stops sending the rest of a rejected archive.
  outgoing.destroy();
  throw new UsageError(message);
}

function connectionError(error: NodeJS.ErrnoException, directory: string): Error {
  if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED')
    return new UsageError(`No server is running on ${directory}: start it, or set VEDETTE_DATA_DIR.`);
  if (error.code === 'EACCES')
    return new UsageError(
      `The server on ${directory} belongs to another user: run this command as that user.`,
    );
  return error;
}

export async function readJson(response: IncomingMessage): Promise<unknown> {
  const chunks = await response.toArray();
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

const pollInterval = 250;

/** Shows the progress of a backup, restore or verification until it finishes. */
export async function withProgress<Result>(context: CommandContext, work: Promise<Result>): Promise<Result> {
  const progress = new Progress(process.stderr, Date.now);
  const finished = new AbortController();
  let records = 0;
  const poll = async () => {
    for (;;) {
      await setTimeout(pollInterval, undefined, { signal: finished.signal });
      const status = (await readJson(await operatorRequest(context, 'GET', '/progress'))) as ProgressStatus;
      records = status.total;
      if (status.done < records) progress.show(status.done / records, status.done);
    }
  };
  // A failed operation reports its own error.
  const polling = poll().catch(() => {});
  try {
    const result = await work;
    if (records > 0) progress.show(1, records);
    return result;
  } finally {
    finished.abort();
    await polling;
  }
}

interface ProgressStatus {
  readonly done: number;
  readonly total: number;
}

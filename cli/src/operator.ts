import { type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { operatorHeader, operatorSocket } from '@vedette/server/operator/socket';
import type { CommandContext } from './context.ts';
import { Progress } from './progress.ts';
import { UsageError } from './usage-error.ts';

/** Asks the running server over its socket in the data directory. */
export async function askServer(
  desk: CommandContext,
  method: 'GET' | 'POST',
  path: string,
  body?: Readable,
): Promise<IncomingMessage> {
  const socketPath = operatorSocket(desk.dataDirectory);
  const asked = request({ socketPath, path, method, headers: { [operatorHeader]: desk.operator } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, desk.dataDirectory)));
  });
  // Fails together with the request, which then says why.
  if (body) pipeline(body, asked).catch(() => {});
  else asked.end();
  const answer = await answered;
  if (answer.statusCode === 200) return answer;
  const { message } = (await readJson(answer)) as { message: string };
  // The server has decided: the rest of a long archive need not be sent.
  asked.destroy();
  throw new UsageError(message);
}

function explain(error: NodeJS.ErrnoException, directory: string): Error {
  if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED')
    return new UsageError(`No server is running on ${directory}: start it, or set VEDETTE_DATA_DIR.`);
  if (error.code === 'EACCES')
    return new UsageError(
      `The server on ${directory} belongs to another user: run this command as that user.`,
    );
  return error;
}

export async function readJson(answer: IncomingMessage): Promise<unknown> {
  const parts = await answer.toArray();
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

const pause = 250;

/** Shows how far the server is with the records of telemetry in a backup or a restore, until that is done. */
export async function watched<Result>(desk: CommandContext, work: Promise<Result>): Promise<Result> {
  const progress = new Progress(process.stderr, Date.now);
  const finished = new AbortController();
  let records = 0;
  const watch = async () => {
    for (;;) {
      await setTimeout(pause, undefined, { signal: finished.signal });
      const answer = (await readJson(await askServer(desk, 'GET', '/progress'))) as Far;
      records = answer.total;
      if (answer.done < records) progress.show(answer.done / records, answer.done);
    }
  };
  // What goes wrong with the work is told by the work.
  const watching = watch().catch(() => {});
  try {
    const result = await work;
    if (records > 0) progress.show(1, records);
    return result;
  } finally {
    finished.abort();
    await watching;
  }
}

interface Far {
  readonly done: number;
  readonly total: number;
}

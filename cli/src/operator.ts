import { type IncomingMessage, request } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { operatorHeader, operatorSocket } from '@vedette/server/operator/socket';
import type { Desk } from './desk.ts';
import { UsageError } from './usage-error.ts';

/** Asks the running server over its socket in the data directory. */
export async function askServer(
  desk: Desk,
  path: string,
  ...body: readonly (Readable | Transform)[]
): Promise<IncomingMessage> {
  const socketPath = operatorSocket(desk.dataDirectory);
  const asked = request({ socketPath, path, method: 'POST', headers: { [operatorHeader]: desk.operator } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, desk.dataDirectory)));
  });
  // Fails together with the request, which then says why.
  if (body.length > 0) pipeline([...body, asked]).catch(() => {});
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

/** Shows on a terminal how much went through. */
export function progress(label: string): Transform {
  let bytes = 0;
  const show = (end: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${label} ${(bytes / 1e6).toFixed(1)} MB${end}`);
  };
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      show('');
      done(null, part);
    },
    flush(done) {
      show('\n');
      done();
    },
  });
}

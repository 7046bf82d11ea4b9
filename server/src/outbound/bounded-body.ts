import type { Readable } from 'node:stream';

const most = 1_048_576;

/** The beginning of a body; what follows is not waited for. */
export async function bounded(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most).toString('utf8');
}

import type { Readable } from 'node:stream';

const maxBytes = 1_048_576;

/** Reads the start of a body, and does not wait for the rest. */
export async function bounded(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

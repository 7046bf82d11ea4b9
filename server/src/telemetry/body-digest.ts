import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Characters hashed without yielding: a few milliseconds at most. */
const chunkLength = 1024 * 1024;

/** SHA-256 of a body in UTF-8; distinguishes a repeated batch from another batch with the same key. */
export async function digestOf(body: string): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < body.length; ) {
    const end = endOfChunk(body, start + chunkLength);
    hash.update(body.slice(start, end));
    start = end;
    if (start < body.length) await setImmediate();
  }
  return hash.digest('base64url');
}

/** Surrogate pairs are not split: each half would be encoded as the replacement character. */
function endOfChunk(body: string, end: number): number {
  const last = body.charCodeAt(end - 1);
  return end < body.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

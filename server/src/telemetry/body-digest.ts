import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Characters hashed without yielding: a few milliseconds at most. */
const chunkLength = 1024 * 1024;

/** SHA-256 of a body in UTF-8; distinguishes a repeated batch from another batch with the same key. */
export async function digestOf(text: string): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < text.length; ) {
    const end = endOfChunk(text, start + chunkLength);
    hash.update(text.slice(start, end));
    start = end;
    if (start < text.length) await setImmediate();
  }
  return hash.digest('base64url');
}

/** Surrogate pairs are not split: each half would be encoded as the replacement character. */
function endOfChunk(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

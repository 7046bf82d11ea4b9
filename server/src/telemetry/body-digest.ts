import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Characters that are hashed in one go: a few milliseconds at the most. */
const atOnce = 1024 * 1024;

/** SHA-256 of a body as UTF-8, by which a repeat of a batch is told from another batch with the same key. */
export async function digestOf(text: string): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < text.length; ) {
    const end = endOfChunk(text, start + atOnce);
    hash.update(text.slice(start, end));
    start = end;
    if (start < text.length) await setImmediate();
  }
  return hash.digest('base64url');
}

/** A character of two UTF-16 units must not be cut: each half alone would be encoded as the replacement character. */
function endOfChunk(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

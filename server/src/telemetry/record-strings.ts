import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../platform/errors.ts';
import { endOfString } from '../platform/json-string.ts';

/** Maximum records per batch; more would delay other writers. */
export const maxRecords = 50_000;

/** Separates records in one string: a character that is always escaped in JSON. */
export const recordSeparator = '\x1e';

/** Characters scanned without yielding: a few milliseconds. */
const chunkLength = 1_000_000;

/** The records of a body as unchanged JSON strings. */
export async function recordStrings(form: 'array' | 'lines', text: string): Promise<string[]> {
  const records = form === 'lines' ? lines(text) : await elements(text);
  if (records.length === 0) throw new Refusal('INVALID_INPUT', 'The body has no records: send at least one.');
  if (records.length <= maxRecords) return records;
  throw new Refusal('INVALID_INPUT', `The body has more than ${maxRecords} records: send smaller batches.`);
}

/** Stops after the first excess record: a small compressed body can expand to millions. */
function lines(text: string): string[] {
  const found: string[] = [];
  for (let start = contentFrom(text, 0); start < text.length && found.length <= maxRecords; ) {
    const end = text.indexOf('\n', start);
    found.push(text.slice(start, end < 0 ? text.length : end).trimEnd());
    start = end < 0 ? text.length : contentFrom(text, end + 1);
  }
  return found;
}

/** The next index that is not white space; a pattern skips millions of characters quickly. */
function contentFrom(text: string, place: number): number {
  if (text[place] === '{') return place;
  const content = /\S/g;
  content.lastIndex = place;
  return content.exec(text)?.index ?? text.length;
}

/** The elements of a JSON array. Each is validated when it is parsed. */
async function elements(text: string): Promise<string[]> {
  const array = text.trim();
  if (!array.startsWith('[') || !array.endsWith(']')) {
    throw new Refusal(
      'MALFORMED_BODY',
      'The body is not a JSON array: send an array, or one record per line with Content-Type: application/x-ndjson.',
    );
  }
  const inner = array.slice(1, -1);
  if (inner.trim() === '') return [];
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  let pause = chunkLength;
  for (let place = 0; place < inner.length; place++) {
    if (place > pause) {
      await setImmediate();
      pause = place + chunkLength;
    }
    const character = inner[place];
    if (character === '"') place = endOfString(inner, place);
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (character === ',' && depth === 0) {
      if (found.push(inner.slice(start, place).trim()) > maxRecords) return found;
      start = place + 1;
    }
  }
  return [...found, inner.slice(start).trim()];
}

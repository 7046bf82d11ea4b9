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
export async function recordStrings(form: 'array' | 'lines', body: string): Promise<string[]> {
  const records = form === 'lines' ? lines(body) : await elements(body);
  if (records.length === 0) throw new Refusal('INVALID_INPUT', 'The body has no records: send at least one.');
  if (records.length <= maxRecords) return records;
  throw new Refusal('INVALID_INPUT', `The body has more than ${maxRecords} records: send smaller batches.`);
}

/** Stops after the first excess record: a small compressed body can expand to millions. */
function lines(body: string): string[] {
  const records: string[] = [];
  for (let start = contentFrom(body, 0); start < body.length && records.length <= maxRecords; ) {
    const end = body.indexOf('\n', start);
    records.push(body.slice(start, end < 0 ? body.length : end).trimEnd());
    start = end < 0 ? body.length : contentFrom(body, end + 1);
  }
  return records;
}

/** The next index that is not white space; a pattern skips millions of characters quickly. */
function contentFrom(body: string, from: number): number {
  if (body[from] === '{') return from;
  const content = /\S/g;
  content.lastIndex = from;
  return content.exec(body)?.index ?? body.length;
}

/** The elements of a JSON array. Each is validated when it is parsed. */
async function elements(body: string): Promise<string[]> {
  const array = body.trim();
  if (!array.startsWith('[') || !array.endsWith(']')) {
    throw new Refusal(
      'MALFORMED_BODY',
      'The body is not a JSON array: send an array, or one record per line with Content-Type: application/x-ndjson.',
    );
  }
  const inner = array.slice(1, -1);
  if (inner.trim() === '') return [];
  const records: string[] = [];
  let start = 0;
  let depth = 0;
  let nextYield = chunkLength;
  for (let index = 0; index < inner.length; index++) {
    if (index > nextYield) {
      await setImmediate();
      nextYield = index + chunkLength;
    }
    const character = inner[index];
    if (character === '"') index = endOfString(inner, index);
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (character === ',' && depth === 0) {
      if (records.push(inner.slice(start, index).trim()) > maxRecords) return records;
      start = index + 1;
    }
  }
  return [...records, inner.slice(start).trim()];
}

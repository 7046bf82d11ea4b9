import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../platform/errors.ts';
import { endOfString } from '../platform/json-string.ts';

/** Records of one batch; more would hold up the other writers. */
export const mostRecords = 50_000;

/** Between records in one text: a character that JSON never has as it is. */
export const recordSeparator = '\x1e';

/** Characters that are looked at in one go: some milliseconds, after which other requests get their turn. */
const atOnce = 1_000_000;

/** The records of a body as the texts they are, so that nothing of them changes on the way to the store. */
export async function recordStrings(form: 'array' | 'lines', text: string): Promise<string[]> {
  const texts = form === 'lines' ? lines(text) : await elements(text);
  if (texts.length === 0) throw new Refusal('INVALID_INPUT', 'The body has no records: send at least one.');
  if (texts.length <= mostRecords) return texts;
  throw new Refusal('INVALID_INPUT', `The body has more than ${mostRecords} records: send smaller batches.`);
}

/** Here and below nothing is taken apart beyond the first record that is too many: a small body can unpack to millions. */
function lines(text: string): string[] {
  const found: string[] = [];
  for (let start = contentFrom(text, 0); start < text.length && found.length <= mostRecords; ) {
    const end = text.indexOf('\n', start);
    found.push(text.slice(start, end < 0 ? text.length : end).trimEnd());
    start = end < 0 ? text.length : contentFrom(text, end + 1);
  }
  return found;
}

/** The next place with anything but white space, of which a pattern passes millions of characters quickly. */
function contentFrom(text: string, place: number): number {
  if (text[place] === '{') return place;
  const content = /\S/g;
  content.lastIndex = place;
  return content.exec(text)?.index ?? text.length;
}

/** The elements of a JSON array. Whether each is JSON is found out when it is parsed. */
async function elements(text: string): Promise<string[]> {
  const whole = text.trim();
  if (!whole.startsWith('[') || !whole.endsWith(']')) {
    throw new Refusal(
      'MALFORMED_BODY',
      'The body is not a JSON array: send an array, or one record per line with Content-Type: application/x-ndjson.',
    );
  }
  const inner = whole.slice(1, -1);
  if (inner.trim() === '') return [];
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  let pause = atOnce;
  for (let place = 0; place < inner.length; place++) {
    if (place > pause) {
      await setImmediate();
      pause = place + atOnce;
    }
    const character = inner[place];
    if (character === '"') place = endOfString(inner, place);
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (character === ',' && depth === 0) {
      if (found.push(inner.slice(start, place).trim()) > mostRecords) return found;
      start = place + 1;
    }
  }
  return [...found, inner.slice(start).trim()];
}

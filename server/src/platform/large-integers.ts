import { endOfString } from './json-string.ts';

/** JavaScript would round whole numbers of more than 53 bits; as texts they stay what they are. */
export function withTextForLargeIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  const token = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let read = '';
  let place = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [word] = found;
    // Not by the pattern, which would need memory for every escape.
    if (word === '"') token.lastIndex = endOfString(text, found.index) + 1;
    if (!/^-?\d{16,}$/.test(word) || Number.isSafeInteger(Number(word))) continue;
    read += `${text.slice(place, found.index)}"${word}"`;
    place = token.lastIndex;
  }
  return read + text.slice(place);
}

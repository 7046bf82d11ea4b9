import { endOfString } from './json-string.ts';

/** Quotes integers that JavaScript would round (more than 53 bits), so that they are parsed as strings. */
export function withLargeIntegersAsStrings(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  const tokens = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let converted = '';
  let copied = 0;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token] = match;
    // Not part of the pattern, which would need memory for every escape.
    if (token === '"') tokens.lastIndex = endOfString(text, match.index) + 1;
    if (!/^-?\d{16,}$/.test(token) || Number.isSafeInteger(Number(token))) continue;
    converted += `${text.slice(copied, match.index)}"${token}"`;
    copied = tokens.lastIndex;
  }
  return converted + text.slice(copied);
}

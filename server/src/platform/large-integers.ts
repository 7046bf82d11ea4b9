import { endOfString } from './json-string.ts';

/** Quotes integers that JavaScript would round (more than 53 bits), so that they are parsed as strings. */
export function withLargeIntegersAsStrings(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  const tokens = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let converted = '';
  let copied = 0;
  for (let match = tokens.exec(json); match; match = tokens.exec(json)) {
    const [token] = match;
    // Not part of the pattern, which would need memory for every escape.
    if (token === '"') tokens.lastIndex = endOfString(json, match.index) + 1;
    if (!/^-?\d{16,}$/.test(token) || Number.isSafeInteger(Number(token))) continue;
    converted += `${json.slice(copied, match.index)}"${token}"`;
    copied = tokens.lastIndex;
  }
  return converted + json.slice(copied);
}

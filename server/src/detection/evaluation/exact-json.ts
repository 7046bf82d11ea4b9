/** Texts and numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** A whole number that may have more digits than a number of JavaScript keeps. */
const long = /^-?\d{16,}$/;
const hasLong = /(?:^|[:,[{])-?\d{16,}/;
/** What no text of a record begins with. */
const mark = '\u0000';
const marked = /"\\u0000(-?\d+)"/g;
const markedText = new RegExp(`^${mark}-?\\d+$`);

/** JSON whose whole numbers are all exact: those that are too long for a number are read as bigints. */
export function parseExact(text: string): unknown {
  if (!hasLong.test(text)) return JSON.parse(text);
  const safe = text.replace(tokens, (token) =>
    long.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0000${token}"` : token,
  );
  return JSON.parse(safe, (_, value: unknown) =>
    typeof value === 'string' && markedText.test(value) ? BigInt(value.slice(1)) : value,
  );
}

/** The opposite. */
export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? `${mark}${inner}` : inner,
  );
  return text.replace(marked, '$1');
}

/** String and number tokens. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** An integer that may exceed the safe range. */
const long = /^-?\d{16,}$/;
const hasLong = /(?:^|[:,[{])-?\d{16,}/;
/** No string of a record begins with this character. */
const mark = '\u0000';
const marked = /"\\u0000(-?\d+)"/g;
const markedText = new RegExp(`^${mark}-?\\d+$`);

/** Parses JSON without loss of precision: integers beyond the safe range become bigints. */
export function parseExact(text: string): unknown {
  if (!hasLong.test(text)) return JSON.parse(text);
  const safe = text.replace(tokens, (token) =>
    long.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0000${token}"` : token,
  );
  return JSON.parse(safe, (_, value: unknown) =>
    typeof value === 'string' && markedText.test(value) ? BigInt(value.slice(1)) : value,
  );
}

/** The inverse of `parseExact`. */
export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? `${mark}${inner}` : inner,
  );
  return text.replace(marked, '$1');
}

/** Strings, which are left alone, and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JavaScript would round whole numbers of more than 53 bits; as texts they stay what they are. */
export function withTextForLargeIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  return text.replace(tokens, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

const quote = 0x22;
const backslash = 0x5c;

/** Index of the quote that closes the string, or the length of the input if it is unterminated. */
export function endOfString(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === backslash) index++;
    else if (code === quote) return index;
  }
  return json.length;
}

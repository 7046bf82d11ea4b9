const quote = 0x22;
const backslash = 0x5c;

/** Index of the quote that closes the string, or the length of the text if it is unterminated. */
export function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === backslash) index++;
    else if (code === quote) return index;
  }
  return text.length;
}

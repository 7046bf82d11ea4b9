const quote = 0x22;
const backslash = 0x5c;

/** The place of the quote that ends a string, or the end of the text when none does. */
export function endOfString(text: string, start: number): number {
  for (let place = start + 1; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code === backslash) place++;
    else if (code === quote) return place;
  }
  return text.length;
}

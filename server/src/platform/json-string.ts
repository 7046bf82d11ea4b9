/** The place of the quote that ends a string, or the end of the text when none does. */
export function endOfString(text: string, start: number): number {
  for (let place = start + 1; place < text.length; place++) {
    if (text[place] === '\\') place++;
    else if (text[place] === '"') return place;
  }
  return text.length;
}

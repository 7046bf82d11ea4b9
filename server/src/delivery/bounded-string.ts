const ellipsis = '…';

/**
 * A text in at most so many UTF-16 units, with an ellipsis for what had to go. Where the other side wants it encoded, the
 * encoded text is what counts, and no character is cut in two.
 */
export function cut(text: string, most: number, encode: (character: string) => string = String): string {
  let result = '';
  let short = '';
  for (const character of text) {
    result += encode(character);
    if (result.length > most) return short + ellipsis;
    if (result.length < most) short = result;
  }
  return result;
}

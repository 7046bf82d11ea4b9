const ellipsis = '…';

/**
 * Truncates to a number of UTF-16 units, with an ellipsis. `encode` is applied to each character; the limit applies to
 * the encoded string, and no character is split.
 */
export function truncate(
  text: string,
  maxLength: number,
  encode: (character: string) => string = String,
): string {
  let result = '';
  let short = '';
  for (const character of text) {
    result += encode(character);
    if (result.length > maxLength) return short + ellipsis;
    if (result.length < maxLength) short = result;
  }
  return result;
}

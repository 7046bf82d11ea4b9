const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const invisible = /^[\p{Mark}\p{Control}\p{Format}\u{115f}-\u{1160}]+$/u;
/** Two terminal columns wide: East Asian scripts, full-width forms and emoji. */
const wide =
  /^(?:[\u{1100}-\u{115e}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}\u{fe0f})/u;
/** One column per character, no combining characters. */
const plain = /^[ -~]*$/;

/** Terminal columns that a string occupies. */
export function widthOf(string: string): number {
  if (plain.test(string)) return string.length;
  let width = 0;
  for (const { segment } of graphemes.segment(string)) width += widthOfOne(segment);
  return width;
}

/** Truncates to `maxWidth` terminal columns, with an ellipsis. */
export function shortened(string: string, maxWidth: number): string {
  let [width, end] = [0, 0];
  for (const { segment, index } of graphemes.segment(string)) {
    width += widthOfOne(segment);
    if (width > maxWidth) return `${string.slice(0, end)}…`;
    if (width < maxWidth) end = index + segment.length;
  }
  return string;
}

function widthOfOne(segment: string): number {
  if (invisible.test(segment)) return 0;
  return wide.test(segment) ? 2 : 1;
}

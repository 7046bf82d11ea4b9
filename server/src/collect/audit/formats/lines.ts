/** The lines of a text; undefined for one that is too long. */
export function* linesOf(text: Buffer, maxLength: number): Generator<string | undefined> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf(10, start);
    const end = found < 0 ? text.length : found;
    if (end - start > maxLength) yield undefined;
    else if (end > start) yield text.toString('utf8', start, end);
    start = end + 1;
  }
}

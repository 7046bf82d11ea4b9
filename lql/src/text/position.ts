export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
}

export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const breaks = /\r\n|\r|\n/g;
  let line = 1;
  let start = 0;
  for (let match = breaks.exec(before); match; match = breaks.exec(before)) {
    line++;
    start = breaks.lastIndex;
  }
  return { line, column: [...before.slice(start)].length + 1 };
}

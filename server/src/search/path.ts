/** The location a filter reads: a member of the record, then member names (strings) and array indexes (numbers). */
export interface Path {
  readonly field: string;
  readonly steps: readonly (string | number)[];
}

export const pathFormats = 'a, a.b, a."b.c" or a[0]';

/** A bare or quoted member name, or an array index. In quotes a backslash escapes the next character. */
const segment = /(?:^|(?<=.)\.)(?:"((?:[^"\\]|\\.)*)"|([^."[\]\\]+))|\[(\d{1,9})\]/gsy;

/** Undefined if the string is not a path. */
export function parsePath(string: string): Path | undefined {
  const segments = [...string.matchAll(segment)];
  if (segments.map(([matched]) => matched).join('') !== string) return undefined;
  const [field, ...steps] = segments.map(([, quoted, bare, position]) =>
    position === undefined ? (bare ?? quoted?.replace(/\\(.)/gs, '$1') ?? '') : Number(position),
  );
  return typeof field === 'string' ? { field, steps } : undefined;
}

/** Follows a path through the JSON value only: no inherited properties, no `length`. */
export function reach(value: unknown, steps: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of steps) {
    const isContainer = typeof step === 'number' ? Array.isArray(current) : isObject(current);
    if (!isContainer || !Object.hasOwn(current as object, step)) return undefined;
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

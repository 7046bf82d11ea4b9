/** Where a filter looks: a member of the record, then members (text) and positions (numbers) inside it. */
export interface Path {
  readonly field: string;
  readonly steps: readonly (string | number)[];
}

export const pathFormats = 'a, a.b, a."b.c" or a[0]';

/** A bare or quoted member name, or a position. In quotes a backslash takes the next character as it is. */
const part = /(?:^|(?<=.)\.)(?:"((?:[^"\\]|\\.)*)"|([^."[\]\\]+))|\[(\d{1,9})\]/gsy;

/** Undefined when the text is not a path. */
export function parsePath(text: string): Path | undefined {
  const parts = [...text.matchAll(part)];
  if (parts.map(([matched]) => matched).join('') !== text) return undefined;
  const [field, ...steps] = parts.map(([, quoted, bare, position]) =>
    position === undefined ? (bare ?? quoted?.replace(/\\(.)/gs, '$1') ?? '') : Number(position),
  );
  return typeof field === 'string' ? { field, steps } : undefined;
}

/** Only what the JSON itself holds: nothing inherited, no length of a text or list. */
export function reach(value: unknown, steps: readonly (string | number)[]): unknown {
  let reached = value;
  for (const step of steps) {
    const holder = typeof step === 'number' ? Array.isArray(reached) : isObject(reached);
    if (!holder || !Object.hasOwn(reached as object, step)) return undefined;
    reached = (reached as Record<string | number, unknown>)[step];
  }
  return reached;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

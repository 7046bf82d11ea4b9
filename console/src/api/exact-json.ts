type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Integers beyond 2^53 become strings: a number would lose digits, and ids would no longer match. */
const exactly: Reviver = (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value;

export function parseExactly(text: string): unknown {
  return JSON.parse(text, exactly as (key: string, value: unknown) => unknown);
}

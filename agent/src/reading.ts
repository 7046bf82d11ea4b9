/** What reading a part of the host returned. Unreadable is never the same as absent or empty. */
export type Reading<Value> =
  | { readonly is: 'read'; readonly value: Value }
  | { readonly is: 'absent' }
  | Unreadable;

export interface Unreadable {
  readonly is: 'unreadable';
  /** A sentence for the list of what is missing. */
  readonly reason: string;
}

export function read<Value>(value: Value): Reading<Value> {
  return { is: 'read', value };
}

export const absent = { is: 'absent' } as const;

export function unreadable(reason: string): Unreadable {
  return { is: 'unreadable', reason };
}

/** Applies a function to what was read. */
export function mapped<From, To>(reading: Reading<From>, to: (value: From) => To): Reading<To> {
  return reading.is === 'read' ? read(to(reading.value)) : reading;
}

/** What was read, or something else instead. */
export function valueOr<Value>(reading: Reading<Value>, other: Value): Value {
  return reading.is === 'read' ? reading.value : other;
}

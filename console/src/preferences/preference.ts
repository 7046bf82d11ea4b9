import { useSyncExternalStore } from 'react';

/** A setting that this browser keeps. */
export class Preference<Value extends string> {
  readonly values: readonly Value[];
  readonly #key: string;
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(name: string, values: readonly [Value, ...Value[]]) {
    this.#key = `vedette.${name}`;
    this.values = values;
    const stored = read(this.#key);
    this.#value = values.find((value) => value === stored) ?? values[0];
  }

  get value(): Value {
    return this.#value;
  }

  readonly set = (value: Value): void => {
    this.#value = value;
    try {
      localStorage.setItem(this.#key, value);
    } catch {
      // Storage is switched off: the setting lasts until the page is closed.
    }
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function usePreference<Value extends string>(
  preference: Preference<Value>,
): readonly [Value, (value: Value) => void] {
  return [useSyncExternalStore(preference.subscribe, () => preference.value), preference.set];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

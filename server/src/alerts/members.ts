export type Members = Readonly<Record<string, unknown>>;

/** Normalises the name of a column, member or tag, whatever its spelling in rows, events and entities. */
export function normalizedName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Queries return JSON columns as values or as strings. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty for anything but an object. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** Empty for anything but a string, number or boolean. */
export function stringOf(value: unknown): string {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Agents send this value for unknown fields. */
export const unknown = 'NOT_AVAILABLE';

/** Tags as an object, or as an array of such objects or of key/value pairs. */
export function tagsOf(given: unknown): [key: string, value: string][] {
  const value = parsed(given);
  if (Array.isArray(value)) {
    return value.filter(isObject).flatMap((tag): [string, string][] => {
      const key = stringOf(tag.Key) || stringOf(tag.key);
      return key === '' ? tagsOf(tag) : [[key, stringOf(tag.Value) || stringOf(tag.value)]];
    });
  }
  return Object.entries(membersOf(value))
    .filter(([, inner]) => typeof inner !== 'object' || inner === null)
    .map(([key, inner]): [string, string] => [key, stringOf(inner)])
    .filter(([key, text]) => key !== '' && text !== unknown);
}

export type Members = Readonly<Record<string, unknown>>;

/** The name of a column, member or tag list without regard to how a row, an event or an entity spells it. */
export function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Queries return JSON columns as they are, or as text. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** None of what is no object. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

/** Empty for what is neither text, number nor truth. */
export function textOf(value: unknown): string {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** What agents say of what they do not know. */
export const unknown = 'NOT_AVAILABLE';

/** Tags as one object, or as a list of objects, which hold a key and its value or are such tags themselves. */
export function tagsOf(given: unknown): [key: string, value: string][] {
  const value = parsed(given);
  if (Array.isArray(value)) {
    return value.filter(isMembers).flatMap((tag): [string, string][] => {
      const key = textOf(tag.Key) || textOf(tag.key);
      return key === '' ? tagsOf(tag) : [[key, textOf(tag.Value) || textOf(tag.value)]];
    });
  }
  return Object.entries(membersOf(value))
    .filter(([, inner]) => typeof inner !== 'object' || inner === null)
    .map(([key, inner]): [string, string] => [key, textOf(inner)])
    .filter(([key, text]) => key !== '' && text !== unknown);
}

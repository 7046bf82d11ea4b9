/** The services return tags as a map, or as an array with one of three spellings. Undefined if it is neither. */
export function tagMap(tags: unknown): Record<string, string> | undefined {
  if (typeof tags !== 'object' || tags === null) return undefined;
  const pairs: [unknown, unknown][] = Array.isArray(tags)
    ? tags.map((tag) => [spelled(tag, 'ey'), spelled(tag, 'alue')])
    : Object.entries(tags);
  const strings = pairs.filter((pair): pair is [string, string] =>
    pair.every((one) => typeof one === 'string'),
  );
  return Object.fromEntries(strings);
}

function spelled(tag: unknown, ending: 'ey' | 'alue'): unknown {
  const letter = ending === 'ey' ? 'k' : 'v';
  const { [`${letter.toUpperCase()}${ending}`]: upper, [`${letter}${ending}`]: lower, ...rest } = Object(tag);
  return upper ?? lower ?? rest[`Tag${letter.toUpperCase()}${ending}`] ?? '';
}

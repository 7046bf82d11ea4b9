/** The services return tags as a map, or as an array with one of three spellings. Undefined if it is neither. */
export function tagMap(tags: unknown): Record<string, string> | undefined {
  if (typeof tags !== 'object' || tags === null) return undefined;
  if (!Array.isArray(tags)) return tags as Record<string, string>;
  const entries = tags.map((tag: Record<string, string>) => [
    tag.Key ?? tag.key ?? tag.TagKey ?? '',
    tag.Value ?? tag.value ?? tag.TagValue ?? '',
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

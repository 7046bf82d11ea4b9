const limits = { labels: 200, name: 300, value: 2_000 };

/** The labels of a container, bounded in number and length. */
export function boundedLabels(entries: Iterable<readonly [string, string]>): Record<string, string> {
  const bounded: [string, string][] = [];
  for (const [name, value] of entries) {
    if (bounded.length === limits.labels) break;
    bounded.push([name.slice(0, limits.name), value.slice(0, limits.value)]);
  }
  return Object.fromEntries(bounded);
}

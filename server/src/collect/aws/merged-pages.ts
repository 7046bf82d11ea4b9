/** A single resource has no more. */
const maxItems = 50_000;

/** The pages of an output that describes one resource: arrays are joined. */
export async function mergedPages(
  pages: AsyncIterable<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  let merged: Record<string, unknown> = {};
  for await (const page of pages) {
    const joined = Object.entries(page).map(([name, value]) => {
      const before = merged[name];
      return [name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value];
    });
    merged = { ...merged, ...Object.fromEntries(joined) };
    const items = Object.values(merged).map((value) => (Array.isArray(value) ? value.length : 0));
    if (items.some((count) => count > maxItems))
      throw new Error(`The description of one resource has more than ${maxItems} items.`);
  }
  return merged;
}

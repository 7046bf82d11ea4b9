import type { ReadingOutput } from '../inventory/reading.ts';

/** Passes each resource on once: one that is created or deleted while pages are read moves others to the next page. */
export function uniqueOutput(output: ReadingOutput): ReadingOutput {
  const added = new Map<string, Set<string>>();
  const isNew = (kind: string, key: string) => {
    const keys = added.get(kind) ?? new Set();
    added.set(kind, keys);
    return !keys.has(key) && keys.add(key) !== undefined;
  };
  return {
    add: async (kind, resource) => {
      if (isNew(kind, resource.key)) await output.add(kind, resource);
    },
    unread: async (kind, key, problem) => {
      if (isNew(kind, key)) await output.unread(kind, key, problem);
    },
    gap: (kind, problem) => output.gap(kind, problem),
  };
}

/** Joins paths that differ in one member, for people: `spec.{containers,initContainers}.*.args`. */
export function mergedPaths(paths: readonly string[]): string[] {
  let merged = paths.map(segmentsOf);
  const longest = Math.max(0, ...merged.map((path) => path.length));
  for (let at = 0; at < longest; at++) merged = mergedAt(merged, at);
  return merged.map((path) => path.join('.'));
}

function mergedAt(paths: readonly string[][], at: number): string[][] {
  const groups = new Map<string, string[][]>();
  for (const path of paths) {
    const others = JSON.stringify([path.length, ...path.slice(0, at), null, ...path.slice(at + 1)]);
    const key = at < path.length ? others : JSON.stringify(path);
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  return [...groups.values()].map((group) => {
    const [first = []] = group;
    const names = [...new Set(group.flatMap((path) => path[at] ?? []))];
    return names.length < 2 ? first : first.with(at, `{${names.join(',')}}`);
  });
}

/** A condition in brackets may have dots. */
function segmentsOf(path: string): string[] {
  return path.split(/\.(?![^[]*\])/);
}

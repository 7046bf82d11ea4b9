/** The value at a dotted path, or undefined. An empty path is the value itself. */
export function memberAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** A copy in which the values at a path are replaced; `*` stands for all members or elements. */
export function withMember(value: unknown, path: string, replace: (old: unknown) => unknown): unknown {
  if (path === '') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  const dot = path.indexOf('.');
  const [name, rest] = dot < 0 ? [path, ''] : [path.slice(0, dot), path.slice(dot + 1)];
  if (Array.isArray(value))
    return name === '*' ? value.map((element) => withMember(element, rest, replace)) : value;
  const entries = Object.entries(value).map(([member, old]) =>
    name === '*' || member === name ? [member, withMember(old, rest, replace)] : [member, old],
  );
  return Object.fromEntries(entries);
}

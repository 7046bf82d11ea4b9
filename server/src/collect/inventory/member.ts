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

/**
 * A copy in which the values at a path are replaced. `*` stands for all members or elements, `*[!a|b]` for all members
 * but these, `*[type=a|b]` and `*[type!=a|b]` for those objects whose member `type` is one of the values, or is none.
 */
export function withMember(value: unknown, path: string, replace: (old: unknown) => unknown): unknown {
  if (path === '') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  const [, name = '', condition, rest = ''] = /^([^.[]*)(?:\[([^\]]*)\])?(?:\.(.*))?$/s.exec(path) ?? [];
  const replaced = (member: string, old: unknown) =>
    (name === '*' || name === member) && holds(condition, member, old) ? withMember(old, rest, replace) : old;
  if (Array.isArray(value)) return value.map((element, index) => replaced(String(index), element));
  return Object.fromEntries(Object.entries(value).map(([member, old]) => [member, replaced(member, old)]));
}

function holds(condition: string | undefined, name: string, value: unknown): boolean {
  if (condition === undefined) return true;
  const [, member = '', not = '', list = ''] = /^([^!=]*)(!?)=?(.*)$/s.exec(condition) ?? [];
  const actual = member === '' ? name : String(memberAt(value, member));
  return list.split('|').includes(actual) === (not === '');
}

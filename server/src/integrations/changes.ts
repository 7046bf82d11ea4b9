/** Names of the members that differ, one level below objects: what an audit entry says of a change, without values. */
export function changedMembers(before: object, after: object, above = ''): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [old, current] = [(before as Values)[name], (after as Values)[name]];
    if (JSON.stringify(old) === JSON.stringify(current)) return [];
    const nested = above === '' && isObject(old) && isObject(current);
    return nested ? changedMembers(old, current, `${name}.`) : [above + name];
  });
}

type Values = Record<string, unknown>;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of the members that differ, down to one level of nesting. Audit entries list them without values. */
export function changedMembers(before: object, after: object, prefix = ''): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [old, current] = [(before as Values)[name], (after as Values)[name]];
    if (JSON.stringify(old) === JSON.stringify(current)) return [];
    const nested = prefix === '' && isObject(old) && isObject(current);
    return nested ? changedMembers(old, current, `${name}.`) : [prefix + name];
  });
}

type Values = Record<string, unknown>;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

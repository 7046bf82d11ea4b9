/** Variables whose values are no secrets. */
const harmless = new Set(['PATH', 'LANG', 'LANGUAGE', 'LC_ALL', 'HOME', 'TZ', 'TERM', 'SHELL']);
const mask = '***';
const limits = { variables: 200, name: 200, value: 4_000 };

/** The environment of a container from `NAME=value`. Values are masked unless they are known to be harmless. */
export function maskedEnvironment(variables: readonly string[]): Record<string, string> {
  const entries = variables.slice(0, limits.variables).flatMap((variable): [string, string][] => {
    const at = variable.indexOf('=');
    const name = (at < 0 ? variable : variable.slice(0, at)).slice(0, limits.name);
    if (name === '') return [];
    const value = at < 0 ? '' : variable.slice(at + 1);
    return [[name, harmless.has(name) ? value.slice(0, limits.value) : mask]];
  });
  return Object.fromEntries(entries);
}

/** Parameters of a screen's URL: flat strings, so that people can read and write them. */
export type Search = Readonly<Record<string, string | undefined>>;

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(search)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${readable(String(value))}`);
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}

/** Commas, colons and slashes need no escape in a query. */
function readable(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
    .replaceAll('%20', '+');
}

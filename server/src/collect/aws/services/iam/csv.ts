/** The rows of a CSV file by the names in its first line. */
export function csvRows(text: string): Record<string, string>[] {
  const [names = [], ...rows] = text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map(valuesOf);
  return rows.map((values) => Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])));
}

/** A value with a comma is in quotes, in which a quote is doubled: names of users may have commas. */
function valuesOf(line: string): string[] {
  const values = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...values].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

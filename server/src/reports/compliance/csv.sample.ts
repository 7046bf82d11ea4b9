/** Reads CSV by RFC 4180, as a spreadsheet would: the records by the names of the first line. */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  for (const [, quoted, plain = '', end] of text.matchAll(pattern)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  const [columns = [], ...records] = rows.slice(0, -1);
  return records.map((cells) => {
    if (cells.length !== columns.length) throw new Error(`A row has ${cells.length} cells: ${cells}`);
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}

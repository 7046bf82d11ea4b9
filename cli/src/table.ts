/** Columns under their names, as wide as their longest value. */
export function table(rows: readonly Readonly<Record<string, string>>[], whenEmpty: string): string {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return whenEmpty;
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    line(names.map((name) => name.toUpperCase())),
    ...rows.map((row) => line(names.map((name) => row[name] ?? ''))),
  ].join('\n');
}

export function day(milliseconds: number | null): string {
  return milliseconds === null
    ? 'never'
    : new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

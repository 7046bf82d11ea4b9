import { widthOf } from './width.ts';

export function table(rows: readonly Readonly<Record<string, string>>[], whenEmpty: string): string {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return whenEmpty;
  return grid([
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => row[name] ?? '')),
  ]);
}

/** Pads each column to its widest cell, in terminal columns. */
export function grid(lines: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  const measured = lines.map((cells) =>
    cells.map((cell, at) => {
      const width = widthOf(cell);
      widths[at] = Math.max(widths[at] ?? 0, width);
      return { cell, width };
    }),
  );
  return measured
    .map((cells) =>
      cells
        .map(({ cell, width }, at) => `${cell}${' '.repeat((widths[at] ?? 0) - width)}`)
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function day(milliseconds: number | null): string {
  return milliseconds === null
    ? 'never'
    : new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

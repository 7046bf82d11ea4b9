import type { Column, ColumnType } from '@vedette/lql/catalogue/catalogue';

/** Columns by name, type and description. */
export function columnTable(
  ...rows: readonly (readonly [name: string, type: ColumnType, description: string])[]
): Column[] {
  return rows.map(([name, type, description]) => ({ name, type, description }));
}

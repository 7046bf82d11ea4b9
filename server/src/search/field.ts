import { Refusal } from '../platform/errors.ts';
import type { ColumnType, Fields } from './dataset.ts';
import { type Path, parsePath, pathFormats } from './path.ts';

export interface Field {
  readonly path: Path;
  /** The declared type, which below a JSON column is whatever the record holds: json. */
  readonly type: ColumnType;
}

/** The declaration of a member, never something that every object inherits. */
export function columnOf<Column>(
  { columns }: { readonly columns: Readonly<Record<string, Column>> },
  name: string,
): Column | undefined {
  return Object.hasOwn(columns, name) ? columns[name] : undefined;
}

/** Reads a field name of the request; `at` says where it stands there. */
export function readField(text: string, at: string, fields: Fields): Field {
  const refuse = (hint: string) => new Refusal('INVALID_FIELD', `Invalid field '${text}' in ${at}: ${hint}.`);
  const path = parsePath(text);
  if (!path) throw refuse(`write it as ${pathFormats}`);
  const column = columnOf(fields, path.field);
  if (!column) throw refuse(`use one of ${Object.keys(fields.columns).join(', ')}`);
  if (path.steps.length > 0 && column.type !== 'json')
    throw refuse(`${path.field} has no members, use it alone`);
  return { path, type: column.type };
}

import { Refusal } from '../platform/errors.ts';
import { nearest } from '../platform/nearest.ts';
import { quoted } from '../platform/quoted.ts';
import type { ColumnType, Fields } from './dataset.ts';
import { type Path, parsePath, pathFormats } from './path.ts';

export interface Field {
  readonly path: Path;
  /** The declared type; members below a JSON column have type json. */
  readonly type: ColumnType;
}

/** The declaration of a member; ignores properties inherited from Object. */
export function columnOf<Column>(
  { columns }: { readonly columns: Readonly<Record<string, Column>> },
  name: string,
): Column | undefined {
  return Object.hasOwn(columns, name) ? columns[name] : undefined;
}

/** Parses a field name of the request; `at` is its location there. */
export function readField(name: string, at: string, fields: Fields): Field {
  const refuse = (hint: string) => {
    const message = `Invalid field ${quoted(name)} in ${at}: ${hint}.`;
    return new Refusal('INVALID_FIELD', message, { problems: [{ field: at, message }] });
  };
  const path = parsePath(name);
  if (!path) throw refuse(`write it as ${pathFormats}`);
  const column = columnOf(fields, path.field);
  if (!column) throw refuse(hintFor(path.field, Object.keys(fields.columns)));
  if (path.steps.length > 0 && column.type !== 'json')
    throw refuse(`${path.field} has no members: write ${path.field} alone`);
  return { path, type: column.type };
}

/** An account may have thousands of reported fields. */
const maxListed = 100;

function hintFor(name: string, known: readonly string[]): string {
  const similar = nearest(name.slice(0, 100), known);
  const prefix = similar.length > 0 ? `did you mean ${similar.join(' or ')}? Fields are ` : 'use one of ';
  const more = known.length > maxListed ? ' and others' : '';
  return `${prefix}${known.slice(0, maxListed).join(', ')}${more}`;
}

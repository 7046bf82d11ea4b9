import type { TObject } from 'typebox';
import type { Column, ColumnType, Dataset, Fields } from './dataset.ts';

interface Form {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
}

/** The searchable members of a record: those of its schema. */
export function fieldsOf(record: TObject): Fields {
  const entries = Object.entries(record.properties).map(([name, form]) => [name, { type: typeOf(form) }]);
  return { columns: Object.fromEntries(entries) };
}

export interface Storage extends Pick<Dataset, 'name' | 'description' | 'table' | 'key' | 'time'> {
  /** Columns whose names are not those of the members in snake case. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** The dataset of records that are kept in a table with a column for each member. */
export function datasetOf(record: TObject, { columns = {}, ...storage }: Storage): Dataset {
  const entries = Object.entries(record.properties).map(([name, form]): [string, Column] => [
    name,
    {
      type: typeOf(form),
      description: (form as Form).description ?? '',
      column: columns[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ...(!record.required?.includes(name) && { optional: true }),
    },
  ]);
  return { ...storage, columns: Object.fromEntries(entries) };
}

function typeOf({ type, format }: Form): ColumnType {
  if (type === 'string') return format === 'date-time' ? 'time' : 'string';
  if (type === 'boolean') return 'boolean';
  return type === 'integer' || type === 'number' ? 'number' : 'json';
}

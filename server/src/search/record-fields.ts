import type { TObject } from 'typebox';
import type { Column, ColumnType, Dataset, Fields, SearchedField } from './dataset.ts';

interface Form {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
}

/** The searchable members of a record: those of its schema. */
export function fieldsOf(record: TObject): Fields {
  const entries = Object.entries(record.properties).map(([name, form]) => [name, fieldOf(form)]);
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
      ...fieldOf(form),
      description: (form as Form).description ?? '',
      column: columns[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ...(!record.required?.includes(name) && { optional: true }),
    },
  ]);
  return { ...storage, columns: Object.fromEntries(entries) };
}

function fieldOf(form: Form): SearchedField {
  return isWords(form.enum) ? { type: 'string', values: form.enum } : { type: typeOf(form) };
}

function isWords(values: readonly unknown[] | undefined): values is readonly string[] {
  return values?.every((value) => typeof value === 'string') ?? false;
}

function typeOf({ type, format }: Form): ColumnType {
  if (type === 'string') return format === 'date-time' ? 'time' : 'string';
  if (type === 'boolean') return 'boolean';
  return type === 'integer' || type === 'number' ? 'number' : 'json';
}

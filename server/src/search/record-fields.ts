import type { TObject } from 'typebox';
import type { Column, ColumnType, Dataset, Fields, SearchedField } from './dataset.ts';

interface MemberSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
}

/** The searchable members of a record, from its schema. */
export function fieldsOf(record: TObject): Fields {
  const entries = Object.entries(record.properties).map(([name, schema]) => [name, fieldOf(schema)]);
  return { columns: Object.fromEntries(entries) };
}

export interface Storage extends Pick<Dataset, 'name' | 'description' | 'table' | 'key' | 'time'> {
  /** Columns whose name is not the snake-case form of the member name. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** The dataset of a table with one column per member. */
export function datasetOf(record: TObject, { columns = {}, ...storage }: Storage): Dataset {
  const entries = Object.entries(record.properties).map(([name, schema]): [string, Column] => [
    name,
    {
      ...fieldOf(schema),
      description: (schema as MemberSchema).description ?? '',
      column: columns[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ...(!record.required?.includes(name) && { optional: true }),
    },
  ]);
  return { ...storage, columns: Object.fromEntries(entries) };
}

function fieldOf(schema: MemberSchema): SearchedField {
  return areStrings(schema.enum) ? { type: 'string', values: schema.enum } : { type: typeOf(schema) };
}

function areStrings(values: readonly unknown[] | undefined): values is readonly string[] {
  return values?.every((value) => typeof value === 'string') ?? false;
}

function typeOf({ type, format }: MemberSchema): ColumnType {
  if (type === 'string') return format === 'date-time' ? 'time' : 'string';
  if (type === 'boolean') return 'boolean';
  return type === 'integer' || type === 'number' ? 'number' : 'json';
}

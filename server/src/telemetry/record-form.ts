import { type TObject, type TSchema, Type } from 'typebox';
import type { ColumnType, Fields } from '../search/dataset.ts';
import type { Member, MemberType, TelemetryDataset } from './dataset.ts';
import { ingestSchema, maxStringLength } from './ingest-form.ts';
import { type MemberTree, treeOf } from './member-tree.ts';

const schemas: Record<MemberType, (description: string) => TSchema> = {
  string: (description) => Type.String({ maxLength: maxStringLength, description }),
  integer: (description) => Type.Integer({ description }),
  number: (description) => Type.Number({ description }),
  boolean: (description) => Type.Boolean({ description }),
  time: (description) => Type.String({ format: 'date-time', maxLength: 35, description }),
  json: (description) => Type.Unknown({ description }),
};

const cache = new WeakMap<TelemetryDataset, TObject>();

/** The schema of a dataset's records in responses. `returns` may omit any member, so none is required. */
export function recordSchema(dataset: TelemetryDataset): TObject {
  const schema = cache.get(dataset) ?? newSchema(dataset);
  cache.set(dataset, schema);
  return schema;
}

/** The schema of a reported record, as validated by ingest, with descriptions. */
export function reportedSchema(dataset: TelemetryDataset): TObject {
  return ingestSchema(dataset, (member, schema) => Type.Unsafe({ ...schema, ...schemaOf(member) }));
}

function newSchema({ members }: TelemetryDataset): TObject {
  const entries = Object.entries(members).map(([name, member]) => [name, Type.Optional(schemaOf(member))]);
  return Type.Object(Object.fromEntries(entries));
}

function schemaOf({ type, description, values, inner }: Member): TSchema {
  if (values) return Type.Enum([...values], { description });
  return inner ? objectOf(description, treeOf(inner)) : schemas[type](description);
}

function objectOf(description: string, tree: MemberTree): TSchema {
  const entries = [...tree].map(([name, below]) => [
    name,
    Type.Optional(below instanceof Map ? objectOf(`Members of ${name}.`, below) : schemaOf(below)),
  ]);
  return Type.Object(Object.fromEntries(entries), { description });
}

const columnTypes: Record<MemberType, ColumnType> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  time: 'time',
  json: 'json',
};

/** The searchable members of a dataset. */
export function fieldsOf({ members }: TelemetryDataset): Fields {
  const entries = Object.entries(members).map(([name, { type, values }]) => [
    name,
    { type: columnTypes[type], ...(values && { values }) },
  ]);
  return { columns: Object.fromEntries(entries) };
}

import { type TObject, type TSchema, Type } from 'typebox';
import type { ColumnType, Fields } from '../search/dataset.ts';
import type { Member, MemberType, TelemetryDataset } from './dataset.ts';
import { ingestForm, longestText } from './ingest-form.ts';
import { type MemberTree, treeOf } from './member-tree.ts';

const forms: Record<MemberType, (description: string) => TSchema> = {
  string: (description) => Type.String({ maxLength: longestText, description }),
  integer: (description) => Type.Integer({ description }),
  number: (description) => Type.Number({ description }),
  boolean: (description) => Type.Boolean({ description }),
  time: (description) => Type.String({ format: 'date-time', maxLength: 35, description }),
  json: (description) => Type.Unknown({ description }),
};

const known = new WeakMap<TelemetryDataset, TObject>();

/** The form of a dataset's records in answers. `returns` may leave out any member, so none is required. */
export function recordForm(dataset: TelemetryDataset): TObject {
  const form = known.get(dataset) ?? newForm(dataset);
  known.set(dataset, form);
  return form;
}

/** The form of a record that is reported, as ingest checks it, with what is known of its members besides. */
export function reportedForm(dataset: TelemetryDataset): TObject {
  return ingestForm(dataset, (member, form) => Type.Unsafe({ ...form, ...formOf(member) }));
}

function newForm({ members }: TelemetryDataset): TObject {
  const entries = Object.entries(members).map(([name, member]) => [name, Type.Optional(formOf(member))]);
  return Type.Object(Object.fromEntries(entries));
}

function formOf({ type, description, values, inner }: Member): TSchema {
  if (values) return Type.Enum([...values], { description });
  return inner ? objectOf(description, treeOf(inner)) : forms[type](description);
}

function objectOf(description: string, tree: MemberTree): TSchema {
  const entries = [...tree].map(([name, below]) => [
    name,
    Type.Optional(below instanceof Map ? objectOf(`Members of ${name}.`, below) : formOf(below)),
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

/** The members by which a dataset is searched, as filters see them. */
export function fieldsOf({ members }: TelemetryDataset): Fields {
  const entries = Object.entries(members).map(([name, { type, values }]) => [
    name,
    { type: columnTypes[type], ...(values && { values }) },
  ]);
  return { columns: Object.fromEntries(entries) };
}

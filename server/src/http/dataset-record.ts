import { type TObject, Type } from 'typebox';
import type { Column, ColumnType, Dataset } from '../search/dataset.ts';

const byType: Record<ColumnType, (description: string) => object> = {
  string: (description) => Type.String({ maxLength: 100_000, description }),
  number: (description) => Type.Number({ description }),
  boolean: (description) => Type.Boolean({ description }),
  time: (description) => Type.String({ maxLength: 30, description }),
  json: (description) => Type.Unknown({ description }),
};

/** The schema of a dataset's records. Members without a value are omitted, so none is required. */
export function recordSchema(dataset: Dataset): TObject {
  const describe = ([name, { type, description }]: [string, Column]) => [
    name,
    Type.Optional(byType[type](description)),
  ];
  return Type.Object(Object.fromEntries(Object.entries(dataset.columns).map(describe)));
}

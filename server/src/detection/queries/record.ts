import { type Static, Type } from 'typebox';
import type { Tables } from '../../control/tables.ts';
import { ResultColumn, resultColumn } from '../../datasources/result-column.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import { readRecord } from '../../search/record.ts';
import { datasetOf } from '../../search/record-fields.ts';
import { builtInOwner } from '../built-in-owner.ts';
import type { BuiltInQuery } from '../packs/query.ts';

export type QueryRow = Tables['queries'];

const userName = (description: string) => Type.String({ maxLength: 320, description });

export const resultSchema = Type.Array(ResultColumn, {
  description: 'The returned columns, in order.',
});

export function resultSchemaOf({ query }: ParsedQuery): Static<typeof resultSchema> {
  return query.columns.map(resultColumn);
}

export const QueryRecord = Type.Object(
  {
    queryId: Type.String({ maxLength: 200, description: 'Identifier used in paths.' }),
    queryText: Type.String({ maxLength: 72_000, description: 'The query, byte for byte as sent.' }),
    queryName: Type.Optional(Type.String({ maxLength: 1_000, description: 'Display name.' })),
    description: Type.Optional(Type.String({ maxLength: 10_000, description: 'Description of the query.' })),
    evaluatorId: Type.Optional(
      Type.String({ maxLength: 200, description: 'Kept for older clients; it has no effect.' }),
    ),
    usageContext: Type.Optional(
      Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description: 'Usage context.' }),
    ),
    resultSchema,
    owner: userName(`User who created it; ${builtInOwner} if built in.`),
    lastUpdateTime: Type.String({
      format: 'date-time',
      maxLength: 30,
      description: 'When it was last changed.',
    }),
    lastUpdateUser: userName('User who changed it last.'),
  },
  { description: 'A saved query.' },
);
export type QueryRecord = Static<typeof QueryRecord>;

export const queriesDataset = datasetOf(QueryRecord, {
  name: 'Queries',
  description: 'Saved queries in LQL.',
  table: 'queries',
  key: 'id',
  columns: {
    queryId: 'id',
    owner: 'created_by',
    lastUpdateTime: 'updated_at',
    lastUpdateUser: 'updated_by',
  },
});

export function queryRecord(row: QueryRow): QueryRecord {
  return readRecord(row as unknown as Record<string, unknown>, queriesDataset) as QueryRecord;
}

export function builtInQueryRecord(
  { id, description, changedTime }: BuiltInQuery,
  read: ParsedQuery,
): QueryRecord {
  return {
    queryId: id,
    queryText: read.text,
    description,
    resultSchema: resultSchemaOf(read),
    owner: builtInOwner,
    lastUpdateTime: changedTime,
    lastUpdateUser: builtInOwner,
  };
}

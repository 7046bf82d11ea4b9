import type { Datasource } from '@vedette/lql/catalogue/catalogue';
import { type Static, Type } from 'typebox';
import { ResultColumn, resultColumn } from '../../datasources/result-column.ts';

export const datasourceName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name by which queries read it.',
});

export const DatasourceRecord = Type.Object(
  {
    name: datasourceName,
    description: Type.String({ maxLength: 1000, description: 'What its rows are.' }),
    resultSchema: Type.Array(ResultColumn, { description: 'Its columns, in order.' }),
    sourceRelationships: Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 100, description: 'What queries write after `on`; seldom needed.' }),
        description: Type.String({
          maxLength: 1000,
          description: 'What the rows have to do with each other.',
        }),
        from: Type.String({ maxLength: 200, description: 'The datasource itself.' }),
        to: Type.String({ maxLength: 200, description: 'Datasource that may stand after `with`.' }),
        toCardinality: Type.Enum(['ONE', 'MANY'], {
          description: 'How many rows of the other belong to one of this.',
        }),
      }),
      { description: 'What it can be joined with.' },
    ),
  },
  { description: 'A table that queries can read.' },
);

export function relationshipsFrom({ name: from, relationships }: Datasource) {
  return relationships.map(({ name, description, to, cardinality }) => ({
    name,
    description,
    from,
    to,
    toCardinality: cardinality,
  }));
}

export function recordOf(datasource: Datasource): Static<typeof DatasourceRecord> {
  const { name, description, columns } = datasource;
  const sourceRelationships = relationshipsFrom(datasource);
  return { name, description, resultSchema: columns.map(resultColumn), sourceRelationships };
}

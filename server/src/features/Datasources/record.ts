import type { Datasource } from '@vedette/lql/catalogue/catalogue';
import { type Static, Type } from 'typebox';
import { ResultColumn, resultColumn } from '../../datasources/result-column.ts';

export const datasourceName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the datasource in queries.',
});

export const DatasourceRecord = Type.Object(
  {
    name: datasourceName,
    description: Type.String({ maxLength: 1000, description: 'Content of the rows.' }),
    resultSchema: Type.Array(ResultColumn, { description: 'Columns, in order.' }),
    sourceRelationships: Type.Array(
      Type.Object({
        name: Type.String({
          maxLength: 100,
          description: 'Name to write after `on` in a query; rarely needed.',
        }),
        description: Type.String({
          maxLength: 1000,
          description: 'How the rows are related.',
        }),
        from: Type.String({ maxLength: 200, description: 'This datasource.' }),
        to: Type.String({ maxLength: 200, description: 'Related datasource, to write after `with`.' }),
        toCardinality: Type.Enum(['ONE', 'MANY'], {
          description: 'Number of related rows for one row of this datasource.',
        }),
      }),
      { description: 'Datasources that it can be joined with.' },
    ),
  },
  { description: 'A table that LQL queries can read.' },
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

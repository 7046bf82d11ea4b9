import type { Column, ColumnType } from '@vedette/lql/catalogue/catalogue';
import { type Static, Type } from 'typebox';

const dataTypes = ['String', 'Number', 'Timestamp', 'JSON'] as const;

/** A column in the API: of a datasource, or of a query result. */
export const ResultColumn = Type.Object({
  name: Type.String({ maxLength: 200, description: 'Name of the column.' }),
  dataType: Type.Enum([...dataTypes], { description: 'Type of the column.' }),
  description: Type.String({ maxLength: 1000, description: 'Description of the column.' }),
});

/** The type names of the API. */
const apiTypes: Readonly<Record<ColumnType, (typeof dataTypes)[number]>> = {
  String: 'String',
  Number: 'Number',
  Timestamp: 'Timestamp',
  Json: 'JSON',
};

export function resultColumn({ name, type, description = '' }: Column): Static<typeof ResultColumn> {
  return { name, dataType: apiTypes[type], description };
}

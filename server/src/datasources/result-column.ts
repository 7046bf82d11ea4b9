import type { Column, ColumnType } from '@vedette/lql/catalogue/catalogue';
import { type Static, Type } from 'typebox';

const dataTypes = ['String', 'Number', 'Timestamp', 'JSON'] as const;

/** A column as the interface shows it: of a datasource, or of what a query returns. */
export const ResultColumn = Type.Object({
  name: Type.String({ maxLength: 200, description: 'Name of the column.' }),
  dataType: Type.Enum([...dataTypes], { description: 'What it holds.' }),
  description: Type.String({ maxLength: 1000, description: 'What it says.' }),
});

/** As clients spell the types. */
const spelled: Readonly<Record<ColumnType, (typeof dataTypes)[number]>> = {
  String: 'String',
  Number: 'Number',
  Timestamp: 'Timestamp',
  Json: 'JSON',
};

export function resultColumn({ name, type, description = '' }: Column): Static<typeof ResultColumn> {
  return { name, dataType: spelled[type], description };
}

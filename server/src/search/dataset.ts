import type { OperatorName } from './operators.ts';

export type ColumnType = 'string' | 'number' | 'boolean' | 'time' | 'json';

export interface Column {
  readonly type: ColumnType;
  readonly description: string;
  /** Column of the table: string, number, 0 or 1, epoch milliseconds, or serialized JSON. Null means absent. */
  readonly column: string;
  /** Whether the column is nullable. */
  readonly optional?: boolean;
  readonly values?: readonly string[];
}

/** Names and types of the members that filters can use. */
export interface Fields {
  readonly columns: Readonly<Record<string, SearchedField>>;
}

export interface SearchedField extends Pick<Column, 'type'> {
  /** The allowed operators, if others would reveal a secret by repeated searches. */
  readonly operators?: readonly OperatorName[];
  /** The allowed values of a closed set: comparing with another value is an error. */
  readonly values?: readonly string[];
}

/** A searchable set of records: the API name and the column of each member. */
export interface Dataset {
  readonly name: string;
  readonly description: string;
  readonly table: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** The timestamp that time ranges and the order (newest first) apply to; absent for records without time. */
  readonly time?: string;
  /** Column that breaks ties of the order, or defines it for records without time; unique per owner. */
  readonly key: string;
}

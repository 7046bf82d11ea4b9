import type { OperatorName } from './operators.ts';

export type ColumnType = 'string' | 'number' | 'boolean' | 'time' | 'json';

export interface Column {
  readonly type: ColumnType;
  readonly description: string;
  /** Its name in the table: text, number, 0 or 1, epoch milliseconds, or JSON as text. Null means absent. */
  readonly column: string;
  /** Whether the table may have null there. */
  readonly optional?: boolean;
  readonly values?: readonly string[];
}

/** Names and types of the members by which records are filtered. */
export interface Fields {
  readonly columns: Readonly<Record<string, SearchedField>>;
}

export interface SearchedField extends Pick<Column, 'type'> {
  /** The only operators that it takes, where others would let someone find out a secret piece by piece. */
  readonly operators?: readonly OperatorName[];
  /** All values that it can have, where they are a closed set: comparing with another one is a mistake. */
  readonly values?: readonly string[];
}

/** A set of records that can be searched: what the API calls each member and where the store keeps it. */
export interface Dataset {
  readonly name: string;
  readonly description: string;
  readonly table: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** The member whose moment decides whether a record is in the time range, newest first; left out by those without. */
  readonly time?: string;
  /** Column that breaks ties of the order, or makes it where there is no time; unique for an owner. */
  readonly key: string;
}

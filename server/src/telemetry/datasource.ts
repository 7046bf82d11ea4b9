/** The column types of the query language. */
export type QueryType = 'String' | 'Number' | 'Timestamp' | 'Json';

/** The start or end of the hour that contains a timestamp. */
export interface HourSource {
  readonly hour: 'start' | 'end';
  readonly of: string;
}

/** A member of one of the two records of a pair; null if the row lacks that record. */
export interface PairSource {
  readonly side: 'opening' | 'closing';
  readonly member: string;
}

/** Metadata of a record in the store. */
export interface StoreSource {
  readonly stored: /** The complete record. */
    | 'record'
    /** When its batch was received. */
    | 'received'
    /** The sequence number of its batch, as a string. */
    | 'batch'
    /** The sequence number of its batch times `recordsPerBatch`, plus its index in the batch: unique in the dataset. */
    | 'number';
}

/** Greater than the maximum number of records in a batch. */
export const recordsPerBatch = 65_536;

/** The source of a column. Every engine has to implement each kind, so there are few. */
export type Source =
  /** A member, or a declared inner member: `propsContainer.IMAGE_REPO`. */
  | string
  /** The first of these members that is present. */
  | readonly string[]
  | HourSource
  | PairSource
  | StoreSource;

/** A source alone if type and description follow from it. */
export type ColumnDeclaration =
  | Source
  | {
      readonly from: Source;
      /** If it differs from the member's: a cast as by `::` in queries, or booleans as strings. */
      readonly type?: QueryType;
      readonly description?: string;
    };

/** Paired records form one row: a closing record is merged into its opening one. */
export interface Pairing {
  /** The member that distinguishes opening and closing records. */
  readonly by: string;
  readonly opening: string;
  readonly closing: string;
  /** Members with equal values in both; absent in both counts as equal. */
  readonly agreeOn: readonly string[];
  /** The timestamp that orders them: a record is closed by the next closing one, unless another opens in between. */
  readonly order: string;
}

/** A table of the query language over the records of one dataset. Each record is a row, except for pairs. */
export interface Datasource {
  readonly name: string;
  /** Defaults to the dataset's. */
  readonly description?: string;
  readonly columns: Readonly<Record<string, ColumnDeclaration>>;
  /** The columns for the time range of a query: one timestamp, or two whose window overlaps the range. */
  readonly time: readonly [string] | readonly [string, string];
  /** Only records with all of these members, equal to the value if one is given. */
  readonly where?: readonly { readonly member: string; readonly is?: string }[];
  readonly pairs?: Pairing;
}

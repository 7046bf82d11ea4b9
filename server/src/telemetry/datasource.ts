/** The types of columns in the query language. */
export type QueryType = 'String' | 'Number' | 'Timestamp' | 'Json';

/** The hour around a moment: when it begins or ends. */
export interface HourSource {
  readonly hour: 'start' | 'end';
  readonly of: string;
}

/** A member of one of the two records that make a row of pairs; nothing when the row lacks that record. */
export interface PairSource {
  readonly side: 'opening' | 'closing';
  readonly member: string;
}

/** What the store knows of a record besides what it says. */
export interface StoreSource {
  readonly stored: /** All of it. */
    | 'record'
    /** When its batch came in. */
    | 'received'
    /** The sequence of its batch, as text. */
    | 'batch'
    /** The sequence of its batch times `numbersOfBatch`, plus its place in the batch: no other of the dataset has it. */
    | 'number';
}

/** More than a batch has records. */
export const numbersOfBatch = 65_536;

/** Where a column comes from. Every engine has to make all of these, so there are few. */
export type Source =
  /** A member, or a declared one below it: `propsContainer.IMAGE_REPO`. */
  | string
  /** The first of these that the record has. */
  | readonly string[]
  | HourSource
  | PairSource
  | StoreSource;

/** A source alone when type and description follow from it. */
export type ColumnDeclaration =
  | Source
  | {
      readonly from: Source;
      /** Where it is not that of the member: a cast as queries write it with `::`, or true and false as text. */
      readonly type?: QueryType;
      readonly description?: string;
    };

/** Records that belong together make one row: one that closes an earlier one is no row of its own. */
export interface Pairing {
  /** The member that tells which records open and which close. */
  readonly by: string;
  readonly opening: string;
  readonly closing: string;
  /** Members in which the two agree; lacking it in both is agreement, too. */
  readonly agreeOn: readonly string[];
  /** The moment by which they follow: one is closed by the first after it, unless another opens in between. */
  readonly order: string;
}

/** A table of the query language, made of the records of one dataset. Each is a row, unless it says otherwise. */
export interface Datasource {
  readonly name: string;
  /** That of the dataset when left out. */
  readonly description?: string;
  readonly columns: Readonly<Record<string, ColumnDeclaration>>;
  /** What the time range of a query tests: one column that lies in it, or two whose window overlaps it. */
  readonly time: readonly [string] | readonly [string, string];
  /** Only records that have all of these members, with the value where one is given. */
  readonly where?: readonly { readonly member: string; readonly is?: string }[];
  readonly pairs?: Pairing;
}

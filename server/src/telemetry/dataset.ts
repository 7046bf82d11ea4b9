import type { Datasource, HourSource } from './datasource.ts';

/** How a member is typed: `integer` has up to 64 bits, `json` is an object or a list. */
export type MemberType = 'string' | 'integer' | 'number' | 'boolean' | 'time' | 'json';

export interface Member {
  readonly type: MemberType;
  readonly description: string;
  /** May be left out of a record; null says the same. */
  readonly optional?: boolean;
  /** All values that it can have, where they are a closed set. */
  readonly values?: readonly string[];
  /**
   * Members below an object that clients know, by their path below it. Each has a column of its own, so that a search
   * need not look into the document. What is there otherwise is kept and found too.
   */
  readonly inner?: Readonly<Record<string, InnerMember>>;
}

export type InnerMember = Pick<Member, 'type' | 'description'>;

/** Which moments of a record decide whether it is in a time range, which is [start, end). */
export type RangeRule =
  /** `startTime` lies in it. */
  | { readonly by: 'start' }
  /** The window from `startTime` to `endTime` overlaps it. */
  | { readonly by: 'overlap' }
  /** The moment lies in it. */
  | { readonly by: 'instant'; readonly member: string };

/**
 * Records of another dataset that follow from those of this one and are stored with them. Of the same thing there is one
 * for each moment, however many it follows from.
 */
export interface Derivation {
  readonly into: TelemetryDataset;
  /** Where its members come from. Nothing follows from a record that lacks one of them. */
  readonly members: Readonly<Record<string, string | HourSource>>;
}

/** A set of records that agents and clouds report. Table, ingest, search, schemas and documentation follow from it. */
export interface TelemetryDataset {
  /** Below /api/v2, without `search`, and below /ingest/v1: `Activities/Connections`. */
  readonly path: string;
  readonly description: string;
  readonly members: Readonly<Record<string, Member>>;
  readonly range: RangeRule;
  /** Members that tell one thing from another; a thing that is seen for hours has a record for each. */
  readonly identity: readonly string[];
  /** Left out by streams that only queries read. */
  readonly search?: {
    /** Whether answers carry `paging`. */
    readonly isPaged: boolean;
    /** Whether a time range can also be listed with GET. */
    readonly isListed?: boolean;
    /** Days that are searchable, where that is a promise. */
    readonly historyDays?: number;
    /** Only the newest record of each value of this member is shown. */
    readonly newestPer?: string;
  };
  /** The tables as which queries read it. */
  readonly datasources: readonly Datasource[];
  readonly derives?: readonly Derivation[];
}

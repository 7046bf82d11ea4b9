import type { Datasource, HourSource } from './datasource.ts';

/** `integer` has up to 64 bits, `json` is an object or an array. */
export type MemberType = 'string' | 'integer' | 'number' | 'boolean' | 'time' | 'json';

export interface Member {
  readonly type: MemberType;
  readonly description: string;
  /** May be absent or null. */
  readonly optional?: boolean;
  /** All possible values, if they are a closed set. */
  readonly values?: readonly string[];
  /**
   * Known members below an object, by their path below it. Each has a typed column, so that a search need not parse
   * the document. Other members are stored and searchable too.
   */
  readonly inner?: Readonly<Record<string, InnerMember>>;
}

export type InnerMember = Pick<Member, 'type' | 'description'>;

/** Which timestamps decide whether a record is in a time range [start, end). */
export type RangeRule =
  /** By `startTime`. */
  | { readonly by: 'start' }
  /** By the window from `startTime` to `endTime`, if it overlaps the range. */
  | { readonly by: 'overlap' }
  /** By one timestamp. */
  | { readonly by: 'instant'; readonly member: string };

/** The value of a member by the age of the record, whatever was reported. */
export interface Activity {
  readonly member: string;
  /** Maximum age of an active record in milliseconds, at the end of the range or now, whichever is earlier. */
  readonly within: number;
  readonly active: string;
  readonly inactive: string;
}

/**
 * Records of another dataset that are derived from this one and stored with it. There is one record per identity
 * and timestamp, however many records it is derived from.
 */
export interface Derivation {
  readonly into: TelemetryDataset;
  /** The sources of its members. A record that lacks one of them yields no derived record. */
  readonly members: Readonly<Record<string, string | HourSource>>;
}

/**
 * A set of records reported by agents and clouds. Table, ingest, search, schemas and documentation are generated
 * from it.
 */
export interface TelemetryDataset {
  /** Below /api/v2, without `search`, and below /ingest/v1: `Activities/Connections`. */
  readonly path: string;
  readonly description: string;
  readonly members: Readonly<Record<string, Member>>;
  readonly range: RangeRule;
  /** Members that identify an entity; an entity seen for hours has a record for each hour. */
  readonly identity: readonly string[];
  /** Optional members that distinguish records of the same identity and timestamp, when repeats are left out. */
  readonly distinguishedBy?: readonly string[];
  /** Absent for datasets that only queries read. */
  readonly search?: {
    /** Whether responses contain `paging`. */
    readonly isPaged: boolean;
    /** Whether a time range can also be listed with GET. */
    readonly isListed?: boolean;
    /** Documented retention in days. */
    readonly historyDays?: number;
    /** Only the newest record of each value of this member is shown. */
    readonly newestPer?: string;
    /** With `newestPer`: a timestamp of which the earliest value in all retained records is shown. */
    readonly earliest?: string;
    /** With `newestPer`: a member that is computed from the age of the newest record. */
    readonly activity?: Activity;
  };
  /** Whether collectors may report it, besides agents: events of a cloud. */
  readonly isOfCloud?: boolean;
  /** The tables of the query language. */
  readonly datasources: readonly Datasource[];
  readonly derives?: readonly Derivation[];
}

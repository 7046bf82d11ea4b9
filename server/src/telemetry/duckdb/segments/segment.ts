import type { UndeclaredMember } from '../../store.ts';
import { identifier } from '../sql/sql.ts';
import { type SegmentFile, stemOf } from './segment-file.ts';

/** Earlier than any record. */
export const startOfHistory = Number.MIN_SAFE_INTEGER;

/** The time span of a dataset's records in a segment, both ends inclusive, and whether any is mistyped. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** The latest start time. */
  readonly last: number;
  readonly hasMistyped: boolean;
}

/** A file with the batches that arrived on one day. A batch is in one file, whatever the timestamps of its records. */
export class Segment {
  readonly file: SegmentFile;
  /** By dataset path; a dataset without records has no table. */
  readonly spans = new Map<string, Span>();
  /** Accounts with batches in it. */
  readonly accounts = new Set<string>();
  readonly #undeclared = new Map<string, ReadonlySet<string>>();
  /** The last sequence number, by account, and by account and path for batches since it was opened. */
  readonly #last = new Map<string, number>();

  constructor(file: SegmentFile) {
    this.file = file;
  }

  get day(): string {
    return this.file.day;
  }

  /** The database name in the engine. */
  get name(): string {
    return stemOf(this.file);
  }

  /** The qualified SQL name of a table. */
  table(name: string): string {
    return `${identifier(this.name).sql}.${identifier(name).sql}`;
  }

  /** No rows will be added. */
  get isFinal(): boolean {
    return this.file.form !== 'arriving';
  }

  /** Whether it contains, and will contain, data of this account only. */
  isOnlyOf(account: string): boolean {
    return this.isFinal && this.accounts.size === 1 && this.accounts.has(account);
  }

  /** The final time span; undefined while rows may be added. */
  finalSpan(path: string): Span | undefined {
    return this.isFinal ? this.spans.get(path) : undefined;
  }

  /** Whether it may contain records of the dataset in [start, end). */
  covers(path: string, start: number, end: number): boolean {
    const span = this.spans.get(path);
    return span !== undefined && span.to >= start && span.from < end;
  }

  /** Whether it may contain records of the dataset that begin in [start, end). */
  begins(path: string, start: number, end: number): boolean {
    const span = this.spans.get(path);
    return span !== undefined && span.last >= start && span.from < end;
  }

  /** Names of undeclared members of its records. */
  undeclaredMembers(account: string, path: string): ReadonlySet<string> {
    return this.#undeclared.get(`${account} ${path}`) ?? new Set();
  }

  /** Undeclared members of all accounts and datasets. */
  get allUndeclaredMembers(): UndeclaredMember[] {
    return [...this.#undeclared].flatMap(([owner, names]) => {
      const [account = '', dataset = ''] = owner.split(' ');
      return [...names].map((name) => ({ day: this.day, account, dataset, name }));
    });
  }

  addUndeclaredMembers(account: string, path: string, names: readonly string[]): void {
    this.#undeclared.set(`${account} ${path}`, new Set([...this.undeclaredMembers(account, path), ...names]));
  }

  /** The sequence number of the last batch that may contain records of the account and dataset; 0 if none. */
  lastBatch(account: string, path: string): number {
    const known = this.#last.get(account) ?? 0;
    return this.spans.has(path) ? Math.max(known, this.#last.get(`${account} ${path}`) ?? 0) : 0;
  }

  /** Without a path, the batch may contain records of any dataset. */
  noteBatch(seq: number, account: string, path?: string): void {
    this.accounts.add(account);
    this.#last.set(path === undefined ? account : `${account} ${path}`, seq);
  }

  widen(path: string, { from, to, last, hasMistyped }: Span): void {
    const present = this.spans.get(path);
    this.spans.set(path, {
      from: Math.min(from, present?.from ?? from),
      to: Math.max(to, present?.to ?? to),
      last: Math.max(last, present?.last ?? last),
      hasMistyped: hasMistyped || (present?.hasMistyped ?? false),
    });
  }
}

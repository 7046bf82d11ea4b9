import type { FurtherMember } from '../../store.ts';
import { identifier } from '../sql/sql.ts';
import { type SegmentFile, stemOf } from './segment-file.ts';

/** The moments of the records of one dataset in one segment, both ends included, and whether one of them is odd. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** At which the last one begins. */
  readonly last: number;
  readonly hasOdd: boolean;
}

/** A file with what arrived on one day. A batch lies in one file whole, whatever days its records are about. */
export class Segment {
  readonly file: SegmentFile;
  /** By path of the dataset; one without records has no table. */
  readonly spans = new Map<string, Span>();
  /** Those that have batches in it. */
  readonly accounts = new Set<string>();
  readonly #further = new Map<string, ReadonlySet<string>>();
  /** The number of the last batch, by account, and by account and path for what came since it was opened. */
  readonly #last = new Map<string, number>();

  constructor(file: SegmentFile) {
    this.file = file;
  }

  get day(): string {
    return this.file.day;
  }

  /** The name under which the engine knows it. */
  get name(): string {
    return stemOf(this.file);
  }

  /** The name of its table for a dataset, as statements write it. */
  table(name: string): string {
    return `${identifier(this.name).sql}.${identifier(name).sql}`;
  }

  /** Nothing is added to it any more: of a file that takes in batches nobody knows what it will hold. */
  get isFinal(): boolean {
    return this.file.form !== 'arriving';
  }

  /** Whether all of it is of one account and will be. */
  isOnlyOf(account: string): boolean {
    return this.isFinal && this.accounts.size === 1 && this.accounts.has(account);
  }

  /** The moments of all records that there will ever be; undefined while some may be added. */
  finalSpan(path: string): Span | undefined {
    return this.isFinal ? this.spans.get(path) : undefined;
  }

  /** Whether it may hold records of the dataset with a moment in [start, end). */
  covers(path: string, start: number, end: number): boolean {
    const span = this.spans.get(path);
    return span !== undefined && span.to >= start && span.from < end;
  }

  /** Whether it may hold records of the dataset that begin in [start, end). */
  begins(path: string, start: number, end: number): boolean {
    const span = this.spans.get(path);
    return span !== undefined && span.last >= start && span.from < end;
  }

  /** Names of members that records in it have beyond the declared ones. */
  furtherMembers(account: string, path: string): ReadonlySet<string> {
    return this.#further.get(`${account} ${path}`) ?? new Set();
  }

  /** The same of every account and dataset. */
  get allFurther(): FurtherMember[] {
    return [...this.#further].flatMap(([owner, names]) => {
      const [account = '', dataset = ''] = owner.split(' ');
      return [...names].map((name) => ({ day: this.day, account, dataset, name }));
    });
  }

  addFurther(account: string, path: string, names: readonly string[]): void {
    this.#further.set(`${account} ${path}`, new Set([...this.furtherMembers(account, path), ...names]));
  }

  /** The number of the last batch in it that may have brought records of the account and dataset; 0 when none has. */
  lastBatch(account: string, path: string): number {
    const known = this.#last.get(account) ?? 0;
    return this.spans.has(path) ? Math.max(known, this.#last.get(`${account} ${path}`) ?? 0) : 0;
  }

  /** Without a path it may have brought records of any dataset. */
  noteBatch(seq: number, account: string, path?: string): void {
    this.accounts.add(account);
    this.#last.set(path === undefined ? account : `${account} ${path}`, seq);
  }

  widen(path: string, { from, to, last, hasOdd }: Span): void {
    const present = this.spans.get(path);
    this.spans.set(path, {
      from: Math.min(from, present?.from ?? from),
      to: Math.max(to, present?.to ?? to),
      last: Math.max(last, present?.last ?? last),
      hasOdd: hasOdd || (present?.hasOdd ?? false),
    });
  }
}

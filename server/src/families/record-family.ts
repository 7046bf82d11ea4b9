import type { TObject, TSchema } from 'typebox';
import type { Actor } from '../control/actor.ts';
import type { Scanner } from '../control/scan/scanner.ts';
import type { Family } from '../http/family.ts';
import type { JsonBytes } from '../http/reply.ts';
import type { Origin } from '../http/route.ts';
import type { Caller } from '../identity/caller.ts';
import type { Scope } from '../identity/scope.ts';
import type { ErrorCode } from '../platform/errors.ts';
import type { Fields } from '../search/dataset.ts';
import type { SearchBody } from '../search/request.ts';

export type OperationName = 'create' | 'list' | 'search' | 'get' | 'change' | 'replace' | 'remove';

/** A family of records that people make, read, change and remove: everything in which its operations differ. */
export interface RecordFamily<
  Shown extends TSchema = TSchema,
  Creation extends TSchema = TSchema,
  Change extends TSchema = TSchema,
  Query extends TObject = TObject,
  Written extends TSchema = Shown,
> {
  readonly family: Family & { readonly record: Shown };
  /** One of them, for example `an alert rule`. */
  readonly singular: string;
  readonly plural: string;
  /** What the audit log calls it, for example `Alert Rule`. */
  readonly title: string;
  /** Name of the identifier in paths. */
  readonly id: string;
  /** Whether the organization has a set of its own. */
  readonly org?: boolean;
  readonly creation?: Creation;
  /** What the documentation shows of a creation, where it says more than what is checked first. */
  readonly describedCreation?: TSchema;
  readonly change?: Change;
  /** What a creation or a change answers, where that is not simply the record. */
  readonly written?: Written;
  /** What the identifier in a path may be, where that is more than an identifier, and what GET then answers. */
  readonly lookup?: { readonly id: string; readonly found: TObject };
  /** What every operation takes behind the question mark. */
  readonly query?: Query;
  /** What a search filters by; the members of the record unless said. */
  readonly fields?: Fields;
  readonly summaries?: Partial<Record<OperationName, string>>;
  readonly descriptions?: Partial<Record<OperationName, string>>;
  /** Whether a removal may contradict what is there; what writes may always. */
  readonly mayRefuseRemoval?: boolean;
  /** What else an operation may be refused for. */
  readonly refuses?: Readonly<Partial<Record<OperationName, readonly ErrorCode[]>>>;
}

export interface ReadRequest<Query = unknown> {
  readonly caller: Caller;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly query: Query;
  /** Aborted when nobody waits for the answer any more; searches have it, and lists of what lies in the store. */
  readonly signal?: AbortSignal;
}

export interface WriteRequest<Query = unknown> extends ReadRequest<Query> {
  readonly actor: Actor;
}

/** What answers them; an operation that is left out does not exist in the family. */
export interface RecordOperations<Shown, Creation, Change, Query, Written = Shown> {
  create?(request: WriteRequest<Query>, body: Creation): Promise<Written>;
  list?(request: ReadRequest<Query>): Promise<readonly Shown[] | JsonBytes>;
  /** The records that a search looks through, and what searches them when that takes long. */
  readonly searchable?: {
    readonly scanner: Scanner;
    /** As GET shows them to the caller, or the same as JSON. */
    records(request: ReadRequest<Query>): Promise<readonly Shown[] | readonly string[]>;
  };
  /** Instead of the former, where the store itself can search. */
  search?(request: ReadRequest<Query>, body: SearchBody | undefined): Promise<JsonBytes>;
  get?(request: ReadRequest<Query>, id: string): Promise<Shown | JsonBytes>;
  change?(request: WriteRequest<Query>, id: string, body: Change): Promise<Written>;
  replace?(request: WriteRequest<Query>, id: string, body: Creation): Promise<Written>;
  remove?(request: WriteRequest<Query>, id: string): Promise<void>;
}

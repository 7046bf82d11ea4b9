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

/** Defines a family of records with create, read, update and delete operations. */
export interface RecordFamily<
  Item extends TSchema = TSchema,
  Creation extends TSchema = TSchema,
  Change extends TSchema = TSchema,
  Query extends TObject = TObject,
  WriteResponse extends TSchema = Item,
> {
  readonly family: Family & { readonly record: Item };
  /** With an article, for example `an alert rule`. */
  readonly singular: string;
  readonly plural: string;
  /** Name in the audit log, for example `Alert Rule`. */
  readonly title: string;
  /** Name of the path parameter. */
  readonly id: string;
  /** Whether the organization has records of its own, selected with Org-Access. */
  readonly org?: boolean;
  readonly creation?: Creation;
  /** Creation schema in the reference, if it is more specific than the validated one. */
  readonly describedCreation?: TSchema;
  readonly change?: Change;
  /** Schema of the response of writes, if it is not the record. */
  readonly writeResponse?: WriteResponse;
  /** Description of the path parameter and response schema of GET, if GET accepts more than an identifier. */
  readonly lookup?: { readonly id: string; readonly response: TObject };
  /** Query parameters of every operation. */
  readonly query?: Query;
  /** Searchable fields; the default is the members of the record. */
  readonly fields?: Fields;
  readonly summaries?: Partial<Record<OperationName, string>>;
  readonly descriptions?: Partial<Record<OperationName, string>>;
  /** Whether a deletion may be rejected with CONFLICT; creations and updates always may. */
  readonly mayRefuseRemoval?: boolean;
  /** Further error codes of an operation. */
  readonly refuses?: Readonly<Partial<Record<OperationName, readonly ErrorCode[]>>>;
}

export interface ReadRequest<Query = unknown> {
  readonly caller: Caller;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly query: Query;
  /** Aborted when the client disconnects; only set for searches and for lists read from the store. */
  readonly signal?: AbortSignal;
}

export interface WriteRequest<Query = unknown> extends ReadRequest<Query> {
  readonly actor: Actor;
}

/** Handlers; an operation without a handler does not exist in the family. */
export interface RecordOperations<Item, Creation, Change, Query, WriteResponse = Item> {
  create?(request: WriteRequest<Query>, body: Creation): Promise<WriteResponse>;
  list?(request: ReadRequest<Query>): Promise<readonly Item[] | JsonBytes>;
  /** For a search in memory; the scanner runs expensive searches in a thread. */
  readonly searchable?: {
    readonly scanner: Scanner;
    /** As GET returns them to the caller, as objects or as JSON. */
    records(request: ReadRequest<Query>): Promise<readonly Item[] | readonly string[]>;
  };
  /** Replaces `searchable` if the store itself can search. */
  search?(request: ReadRequest<Query>, body: SearchBody | undefined): Promise<JsonBytes>;
  get?(request: ReadRequest<Query>, id: string): Promise<Item | JsonBytes>;
  change?(request: WriteRequest<Query>, id: string, body: Change): Promise<WriteResponse>;
  replace?(request: WriteRequest<Query>, id: string, body: Creation): Promise<WriteResponse>;
  remove?(request: WriteRequest<Query>, id: string): Promise<void>;
}

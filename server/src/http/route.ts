import type { Static, TObject, TSchema } from 'typebox';
import type { Actor } from '../control/actor.ts';
import type { Caller } from '../identity/caller.ts';
import type { Access, Scope } from '../identity/scope.ts';
import type { ErrorCode } from '../platform/errors.ts';
import type { Attempt } from './attempt.ts';
import type { Family } from './family.ts';
import type { RecordsBody } from './records-body.ts';
import type { Content, Empty, JsonBytes, JsonChunks, JsonString } from './reply.ts';
import type { SharedBody } from './shared-body.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Everything there is to say about one operation. Validation, types, documentation, limits and tests follow from it. */
export interface Declaration {
  readonly method: Method;
  /** Path with `{names}`, as the documentation shows it. */
  readonly path: `/${string}`;
  readonly family: Family;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Marked (org) in the specification: `Org-Access: true` selects the organization's own set. */
  readonly org?: boolean;
  /** Every account sees the same answer, so ids in the path belong to nobody. */
  readonly isCatalogue?: boolean;
  /** What the audit log calls the change; every operation with access `write` has one. */
  readonly audit?: string;
  /**
   * `exempt`: asked so often by clients that counting it would starve them; `monitor`: the same for monitors, which have no
   * login; `credential`: takes a credential of its own, whose owner is counted, and the address only if it is wrong.
   */
  readonly rate?: 'exempt' | 'monitor' | 'credential';
  readonly headers?: TObject;
  readonly params?: TObject;
  readonly query?: TObject;
  /** `discarded` takes a body of whatever kind and throws it away; `records` many records, as text or as an array. */
  readonly body?: TSchema | 'discarded' | 'records';
  /** Whole numbers in the body that have more than 53 bits come as texts instead of being rounded. */
  readonly exactNumbers?: boolean;
  /** For what takes long: the handler gets a signal that tells when the client went away before its answer. */
  readonly cancellable?: boolean;
  /** What the documentation shows of the body, where it says more than what is checked first. */
  readonly describedBody?: TSchema;
  readonly replies: Readonly<Record<number, TSchema | Content | Empty>>;
  /** Refusals of its own; those every operation shares are added from its access and inputs. */
  readonly refuses?: readonly ErrorCode[];
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The members of `params` must be the names in the path, no more and no fewer. */
type PathAgrees<D extends Declaration> =
  ParamNames<D['path']> extends keyof ParamsOf<D>
    ? keyof ParamsOf<D> extends ParamNames<D['path']>
      ? unknown
      : { params: 'names a parameter that the path lacks' }
    : { params: 'lacks a parameter of the path' };

type ParamsOf<D> = D extends { params: infer S extends TObject } ? Static<S> : Record<never, never>;
type PartOf<D, Name extends string> = D extends { [key in Name]: 'records' }
  ? RecordsBody
  : D extends { [key in Name]: infer S extends TSchema }
    ? Static<S>
    : undefined;

export interface Origin {
  /** Address that the client called. */
  readonly url: string;
}

type Identified<D extends Declaration> = D['access'] extends 'public'
  ? { readonly caller: undefined; readonly scope: undefined }
  : D['access'] extends 'agent'
    ? { readonly caller: undefined; readonly scope: Scope }
    : { readonly caller: Caller; readonly scope: Scope };

export type Input<D extends Declaration> = Identified<D> & {
  readonly params: ParamsOf<D>;
  readonly query: PartOf<D, 'query'>;
  readonly headers: PartOf<D, 'headers'>;
  readonly body: PartOf<D, 'body'>;
  readonly origin: Origin;
  /** Who changes what, for the transaction; only operations with an audit action have one. */
  readonly actor: D extends { audit: string } ? Actor : undefined;
  /** Only operations that take a credential of their own have one. */
  readonly attempt: D extends { rate: 'credential' } ? Attempt : undefined;
  /** Aborted when nobody waits for the answer any more; only operations that are declared cancellable have one. */
  readonly signal: D extends { cancellable: true } ? AbortSignal : undefined;
};

export type Output<D extends Declaration> = {
  [Status in keyof D['replies'] & number]: D['replies'][Status] extends infer R
    ? R extends Empty
      ? { readonly status: Status; readonly headers?: Record<string, string> }
      : R extends Content
        ? {
            readonly status: Status;
            readonly body: string | Buffer | SharedBody;
            readonly headers?: Record<string, string>;
          }
        : R extends TSchema
          ? {
              readonly status: Status;
              readonly body: Static<R> | JsonBytes | JsonString | JsonChunks | SharedBody;
              /** Of questions with a body: what is probably not meant, besides members that are unknown. */
              readonly warnings?: readonly string[];
            }
          : never
    : never;
}[keyof D['replies'] & number];

export type AnyOutput = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  warnings?: readonly string[];
};

/** A declaration with what answers it. */
export interface Route {
  readonly declaration: Declaration;
  readonly handle: (input: never) => Promise<AnyOutput>;
}

export interface Declared<D extends Declaration> {
  readonly declaration: D;
  handle(handler: (input: Input<D>) => Promise<Output<D>>): Route;
}

/** In two steps, because the literals that a handler returns widen when it stands inside the declaration. */
export function defineRoute<const D extends Declaration>(declaration: D & PathAgrees<D>): Declared<D> {
  return { declaration, handle: (handler) => ({ declaration, handle: handler as Route['handle'] }) };
}

/** What shares one bucket: the method and the path without its ids, so that list and get by id count together. */
export function functionalityOf({ method, path }: Declaration): string {
  return `${method} ${path.replace(/\/\{[^}]+\}/g, '')}`;
}

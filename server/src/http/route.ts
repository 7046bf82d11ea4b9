import type { Static, TObject, TSchema } from 'typebox';
import type { Actor } from '../control/actor.ts';
import type { Caller, SessionCaller } from '../identity/caller.ts';
import type { Access, Scope, TokenPurpose } from '../identity/scope.ts';
import type { ErrorCode } from '../platform/errors.ts';
import type { Attempt } from './attempt.ts';
import type { Client } from './client.ts';
import type { DocumentFile } from './document-file.ts';
import type { Family } from './family.ts';
import type { RecordsBody } from './records-body.ts';
import type { Content, Empty, JsonBytes, JsonChunks, JsonString } from './reply.ts';
import type { SharedBody } from './shared-body.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The declaration of one operation. Validation, types, documentation, limits and tests are derived from it. */
export interface Declaration {
  readonly method: Method;
  /** OpenAPI path template with `{parameters}`. */
  readonly path: `/${string}`;
  readonly family: Family;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** For access `agent`: the purposes of the tokens that may call it; by default that of host agents. */
  readonly tokens?: readonly TokenPurpose[];
  /** Not part of the public interface: only the console uses it, and the reference omits it. */
  readonly isPrivate?: boolean;
  /** Signs in to the console: the request must come from its page. */
  readonly startsSession?: boolean;
  /** Marked (org) in the specification: `Org-Access: true` selects the organization's own resources. */
  readonly org?: boolean;
  /** Every account gets the same response: ids in the path are not owned by an account. */
  readonly isCatalogue?: boolean;
  /** Event name in the audit log; required for access `write`. */
  readonly audit?: string;
  /**
   * `exempt`: not counted, because clients call it too often; `monitor`: limited by address, for monitoring without a login;
   * `credential`: checks a credential itself, and counts against its owner, or against the address if it is invalid.
   */
  readonly rate?: 'exempt' | 'monitor' | 'credential';
  readonly headers?: TObject;
  readonly params?: TObject;
  readonly query?: TObject;
  /** `discarded`: any body, which is ignored; `records`: a batch of records, as newline-delimited JSON or an array. */
  readonly body?: TSchema | 'discarded' | 'records';
  /** Integers of more than 53 bits in the body are passed as strings instead of being rounded. */
  readonly exactNumbers?: boolean;
  /** For long operations: the handler gets an AbortSignal that fires when the client disconnects. */
  readonly cancellable?: boolean;
  /** A more detailed schema of the body for the documentation. */
  readonly describedBody?: TSchema;
  readonly replies: Readonly<Record<number, TSchema | Content | Empty>>;
  /** Media types in which a parameter may ask for the result, besides JSON: the body is then a DocumentFile. */
  readonly documents?: readonly string[];
  /** Errors specific to the operation; common ones are derived from its access and inputs. */
  readonly refuses?: readonly ErrorCode[];
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The members of `params` must be exactly the parameters of the path. */
type MatchesPath<D extends Declaration> =
  ParamNames<D['path']> extends keyof ParamsOf<D>
    ? keyof ParamsOf<D> extends ParamNames<D['path']>
      ? unknown
      : { params: 'names a parameter that the path lacks' }
    : { params: 'lacks a parameter of the path' };

type ParamsOf<D> = D extends { params: infer S extends TObject } ? Static<S> : Record<never, never>;
type InputOf<D, Name extends string> = D extends { [key in Name]: 'records' }
  ? RecordsBody
  : D extends { [key in Name]: infer S extends TSchema }
    ? Static<S>
    : undefined;

export interface Origin {
  /** Base URL that the client used. */
  readonly url: string;
}

type Identified<D extends Declaration> = D['access'] extends 'public'
  ? { readonly caller: undefined; readonly scope: undefined }
  : D['access'] extends 'agent'
    ? { readonly caller: undefined; readonly scope: Scope }
    : D['access'] extends 'session'
      ? { readonly caller: SessionCaller; readonly scope: Scope }
      : { readonly caller: Caller; readonly scope: Scope };

export type Input<D extends Declaration> = Identified<D> & {
  readonly params: ParamsOf<D>;
  readonly query: InputOf<D, 'query'>;
  readonly headers: InputOf<D, 'headers'>;
  readonly body: InputOf<D, 'body'>;
  readonly origin: Origin;
  /** Recorded in the audit log by the transaction; only for operations with an audit event. */
  readonly actor: D extends { audit: string } ? Actor : undefined;
  /** Only for operations with rate `credential`. */
  readonly attempt: D extends { rate: 'credential' } ? Attempt : undefined;
  /** Only for operations that start or need a session. */
  readonly client: D extends { startsSession: true } | { access: 'session' } ? Client : undefined;
  /** Aborted when the client disconnects; only for operations that are declared cancellable. */
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
              readonly body: Static<R> | JsonBytes | JsonString | JsonChunks | SharedBody | DocumentFile;
              /** Of read-only operations with a body: likely mistakes, besides unknown members. */
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

/** A declaration with its handler. */
export interface Route {
  readonly declaration: Declaration;
  readonly handle: (input: never) => Promise<AnyOutput>;
}

export interface Declared<D extends Declaration> {
  readonly declaration: D;
  handle(handler: (input: Input<D>) => Promise<Output<D>>): Route;
}

/** In two steps, because literal types that a handler returns would widen inside the declaration. */
export function defineRoute<const D extends Declaration>(declaration: D & MatchesPath<D>): Declared<D> {
  return { declaration, handle: (handler) => ({ declaration, handle: handler as Route['handle'] }) };
}

/** The unit of rate limiting: the method and the path without ids, so that list and get by id share a limit. */
export function functionalityOf({ method, path }: Declaration): string {
  return `${method} ${path.replace(/\/\{[^}]+\}/g, '')}`;
}

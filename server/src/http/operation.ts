import type { TSchema } from 'typebox';
import { secretMark } from '../integrations/members.ts';
import { Validator } from '../platform/validator.ts';
import { type Declaration, functionalityOf, type Route } from './route.ts';
import type { RouteCounters } from './route-counters.ts';

/** A route with its compiled validators, counters and rate-limit functionality. */
export class Operation {
  readonly route: Route;
  readonly counters: RouteCounters;
  readonly functionality: string;
  readonly headers: Validator | undefined;
  readonly params: Validator | undefined;
  readonly query: Validator | undefined;
  readonly body: Validator | undefined;
  readonly returnsWarnings: boolean;
  /** False if the schema of the body allows null. */
  readonly requiresBody: boolean;
  #returnsSecret: boolean | undefined;

  constructor(route: Route, counters: RouteCounters) {
    const { headers, params, query } = route.declaration;
    this.route = route;
    this.counters = counters;
    this.functionality = functionalityOf(route.declaration);
    this.headers = headers && new Validator(headers, 'header');
    this.params = params && new Validator(params, 'path');
    this.query = query && new Validator(query, 'query');
    const schema = bodySchema(route.declaration);
    this.body = schema && new Validator(schema, 'body');
    this.returnsWarnings = returnsWarnings(route.declaration);
    this.requiresBody =
      route.declaration.body === 'records' || (schema !== undefined && !allowsEmptyBody(schema));
  }

  /**
   * Whether a response contains a secret. Such responses are never compressed: their length would reveal whether input that
   * the client chose occurs in the secret (BREACH).
   */
  get returnsSecret(): boolean {
    this.#returnsSecret ??= Object.values(this.route.declaration.replies).some(hasSecret);
    return this.#returnsSecret;
  }
}

function hasSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return secretMark in schema || Object.values(schema).some(hasSecret);
}

export function bodySchema({ body }: Declaration): TSchema | undefined {
  return typeof body === 'string' ? undefined : body;
}

/**
 * Whether responses have `warnings`: for read-only operations with a body. A misspelt member there would silently change
 * the result, whereas the response to a write shows what was stored.
 */
export function returnsWarnings(declaration: Declaration): boolean {
  const { method, access } = declaration;
  return method === 'POST' && access === 'read' && bodySchema(declaration) !== undefined;
}

/** Whether the body is optional: its schema is a union that includes null. */
export function allowsEmptyBody(schema: TSchema): boolean {
  const alternatives = (schema as { anyOf?: { type?: string }[] }).anyOf;
  return alternatives?.some((alternative) => alternative.type === 'null') ?? false;
}

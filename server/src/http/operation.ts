import type { TSchema } from 'typebox';
import { secretMark } from '../integrations/members.ts';
import { Validator } from '../platform/validator.ts';
import { type Declaration, functionalityOf, type Route } from './route.ts';
import type { RouteCounters } from './route-counters.ts';

/** A route made ready to serve: its validators, its counters and the name of its bucket. */
export class Operation {
  readonly route: Route;
  readonly counters: RouteCounters;
  readonly functionality: string;
  readonly headers: Validator | undefined;
  readonly params: Validator | undefined;
  readonly query: Validator | undefined;
  readonly body: Validator | undefined;
  readonly warns: boolean;
  /** A body may be left out when its schema allows null. */
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
    this.warns = returnsWarnings(route.declaration);
    this.requiresBody =
      route.declaration.body === 'records' || (schema !== undefined && !allowsEmptyBody(schema));
  }

  /**
   * Whether some answer holds a secret. Such answers are never compressed: their length would tell how much of what the
   * client sent occurs in the secret, too.
   */
  get returnsSecret(): boolean {
    this.#returnsSecret ??= Object.values(this.route.declaration.replies).some(isMarked);
    return this.#returnsSecret;
  }
}

function isMarked(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return secretMark in schema || Object.values(schema).some(isMarked);
}

export function bodySchema({ body }: Declaration): TSchema | undefined {
  return typeof body === 'string' ? undefined : body;
}

/**
 * Whether answers have warnings: a question with a body that changes nothing. What is misspelt there would silently answer
 * another question, whereas the answer to a change shows what was written.
 */
export function returnsWarnings(declaration: Declaration): boolean {
  const { method, access } = declaration;
  return method === 'POST' && access === 'read' && bodySchema(declaration) !== undefined;
}

/** Whether a request without a body is fine: its schema is a choice that includes null. */
export function allowsEmptyBody(schema: TSchema): boolean {
  const choices = (schema as { anyOf?: { type?: string }[] }).anyOf;
  return choices?.some((choice) => choice.type === 'null') ?? false;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import { clientOf } from './client.ts';
import { disconnectSignal } from './client-disconnect.ts';
import { type Gate, scopeFor } from './gate.ts';
import type { Operation } from './operation.ts';
import type { AnyOutput, Origin } from './route.ts';
import { withWarnings } from './warnings.ts';

/** Runs an admitted request: determines its scope, validates its input and calls the handler. */
export function perform(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, gate }: { readonly publicUrl: URL | undefined; readonly gate: Gate },
): Promise<AnyOutput> {
  const { declaration, handle } = operation.route;
  const { caller, params, query, headers } = request;
  const scope = scopeOf(request, operation);
  operation.params?.check(params);
  operation.query?.check(query);
  operation.headers?.check(headers);
  const body = request.body ?? undefined;
  if (operation.requiresBody && body === undefined) {
    throw new Refusal(
      'INVALID_INPUT',
      declaration.body === 'records'
        ? 'A body is required: send records with Content-Type: application/x-ndjson or application/json.'
        : 'A JSON body is required: send one with Content-Type: application/json.',
    );
  }
  if (body !== undefined) operation.body?.check(body);
  const actor = caller &&
    scope &&
    declaration.audit && {
      userName: caller.email,
      ownerId: scope.ownerId,
      accountName: scope.name,
      act: declaration.audit,
    };
  const origin = originOf(request, publicUrl);
  const signal = declaration.cancellable ? disconnectSignal(reply.raw) : undefined;
  const attempt = declaration.rate === 'credential' ? gate.attempt(request, operation) : undefined;
  const client =
    declaration.startsSession || declaration.access === 'session' ? clientOf(request) : undefined;
  const input = { caller, scope, params, query, headers, body, origin, actor, attempt, client, signal };
  const handled = handle(input as never);
  return operation.returnsWarnings
    ? handled.then((output) => withWarnings(operation, body, output))
    : handled;
}

/** The account or organization that an admitted request addresses. */
export function scopeOf(request: FastifyRequest, { route }: Operation): Scope | undefined {
  const { access, org = false } = route.declaration;
  return request.caller ? scopeFor(request, request.caller, access, org) : request.agentScope;
}

function originOf(request: FastifyRequest, publicUrl: URL | undefined): Origin {
  if (publicUrl) return { url: publicUrl.origin };
  return { url: `${request.protocol}://${request.host}` };
}

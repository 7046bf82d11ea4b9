import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { abandonment } from './client-left.ts';
import { scopeFor } from './gate.ts';
import type { Operation } from './operation.ts';
import { isContent, isEmpty, JsonBytes } from './reply.ts';
import type { AnyOutput, Origin } from './route.ts';

/** From an admitted request to what its route answers: scope, checks, handler. */
export function perform(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: URL | undefined,
): Promise<AnyOutput> {
  const { declaration, handle } = operation.route;
  const { caller, params, query, headers } = request;
  const scope = caller
    ? scopeFor(request, caller, declaration.access, declaration.org ?? false)
    : request.agentScope;
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
  const abandoned = declaration.abandonable ? abandonment(reply.raw) : undefined;
  return handle({ caller, scope, params, query, headers, body, origin, actor, abandoned } as never);
}

/** Writes what a route answered, in the form that it declared for the status. */
export function send(reply: FastifyReply, operation: Operation, output: AnyOutput): FastifyReply {
  reply.status(output.status);
  const declared = operation.route.declaration.replies[output.status];
  if (declared && isEmpty(declared)) return reply.send();
  if (declared && isContent(declared)) {
    return reply
      .header('content-type', declared.type)
      .headers(output.headers ?? {})
      .send(output.body);
  }
  begun(reply, output);
  if (!(output.body instanceof JsonBytes)) return reply.send(JSON.stringify(output.body));
  const { parts, passing } = output.body;
  if (passing) reply.raw.once('finish', () => isSent(reply) && passing.release());
  return parts.length === 1 ? reply.send(parts[0]) : sendParts(reply, parts);
}

/** An answer in JSON of which nothing is written yet. */
export function begun(reply: FastifyReply, { status }: AnyOutput): FastifyReply {
  return reply.status(status).header('content-type', 'application/json; charset=utf-8');
}

/** Of an answer that is finished: whether the system has all of it. When a client leaves, it may still be in the middle. */
function isSent({ request }: FastifyReply): boolean {
  return !request.socket.destroyed;
}

/** Together in one packet where they fit, and never copied into one piece, which the framework would need. */
function sendParts(reply: FastifyReply, parts: readonly Uint8Array[]): FastifyReply {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  reply.hijack();
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  reply.raw.writeHead(reply.statusCode, { ...headers, 'content-length': length });
  reply.raw.cork();
  for (const part of parts) reply.raw.write(part);
  reply.raw.end();
  reply.raw.uncork();
  return reply;
}

function originOf(request: FastifyRequest, publicUrl: URL | undefined): Origin {
  if (publicUrl) return { host: publicUrl.host, url: publicUrl.origin };
  return { host: request.host, url: `${request.protocol}://${request.host}` };
}

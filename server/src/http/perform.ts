import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import { abandonment } from './client-left.ts';
import { type Gate, scopeFor } from './gate.ts';
import type { Operation } from './operation.ts';
import { pacedFrom, sendPaced } from './paced-body.ts';
import { isContent, isEmpty, JsonBytes } from './reply.ts';
import type { AnyOutput, Origin } from './route.ts';
import { hasTag, type SharedBody } from './shared-body.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** From an admitted request to what its route answers: scope, checks, handler. */
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
  const abandoned = declaration.abandonable ? abandonment(reply.raw) : undefined;
  const attempt = declaration.rate === 'credential' ? gate.attempt(request, reply, operation) : undefined;
  return handle({ caller, scope, params, query, headers, body, origin, actor, attempt, abandoned } as never);
}

function scopeOf(request: FastifyRequest, { route }: Operation): Scope | undefined {
  const { access, org = false } = route.declaration;
  return request.caller ? scopeFor(request, request.caller, access, org) : request.agentScope;
}

/** Writes what a route answered, in the form that it declared for the status. */
export function send(
  reply: FastifyReply,
  operation: Operation,
  output: AnyOutput,
  unsent: UnsentAnswers,
): FastifyReply {
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
  if (!(output.body instanceof JsonBytes)) {
    const text = JSON.stringify(output.body);
    return text.length < pacedFrom
      ? reply.send(text)
      : sendLarge(reply, operation, [Buffer.from(text)], unsent);
  }
  const { parts, passing } = output.body;
  if (passing) reply.raw.once('finish', () => isSent(reply) && passing.release());
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length >= pacedFrom) return sendLarge(reply, operation, parts, unsent);
  return parts.length === 1 ? reply.send(parts[0]) : sendParts(reply, parts, length);
}

/** Sends a body that is the same for everyone, or says that the client has it. Returns the status. */
export async function sendShared(
  reply: FastifyReply,
  operation: Operation,
  { status, headers = {} }: AnyOutput,
  body: SharedBody,
): Promise<number> {
  const asked = reply.request.headers;
  const { bytes, etag, encoding } = await body.for(asked['accept-encoding']);
  reply
    .headers(headers)
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', body.cacheControl);
  if (hasTag(asked['if-none-match'], etag)) {
    reply.status(304).send();
    return 304;
  }
  const declared = operation.route.declaration.replies[status];
  const isText = declared && isContent(declared);
  begun(reply, { status });
  if (isText) reply.header('content-type', declared.type);
  if (encoding) reply.header('content-encoding', encoding);
  if (bytes.length < pacedFrom) reply.send(bytes);
  else sendPaced(reply, [bytes]);
  return status;
}

function sendLarge(
  reply: FastifyReply,
  operation: Operation,
  parts: readonly Uint8Array[],
  unsent: UnsentAnswers,
): FastifyReply {
  const { request } = reply;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  unsent.hold(reply.raw, scopeOf(request, operation)?.ownerId ?? request.ip, length);
  return sendPaced(reply, parts);
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
function sendParts(reply: FastifyReply, parts: readonly Uint8Array[], length: number): FastifyReply {
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

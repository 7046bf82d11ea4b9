import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { negotiateEncoding } from './accept-header.ts';
import { backpressureThreshold, sendCompressed, sendWithBackpressure } from './backpressure.ts';
import { type CompressionSlots, compressionMemory, compressionThreshold } from './compression-slots.ts';
import type { Operation } from './operation.ts';
import { scopeOf } from './perform.ts';
import { isContent, isEmpty, JsonBytes, type JsonChunks, JsonString } from './reply.ts';
import type { RawHeaders, ResponseHeaders } from './response-headers.ts';
import type { AnyOutput } from './route.ts';
import { matchesEtag, type SharedBody } from './shared-body.ts';
import { stream } from './stream.ts';
import type { UnsentResponses } from './unsent-responses.ts';

export interface ResponseDeps {
  readonly responseHeaders: ResponseHeaders;
  readonly unsent: UnsentResponses;
  readonly compressions: CompressionSlots;
}

/** Writes what a route answered, in the form that it declared for the status. */
export function send(
  reply: FastifyReply,
  operation: Operation,
  { status, headers = {}, body }: AnyOutput,
  { responseHeaders, unsent, compressions }: ResponseDeps,
): void {
  const declared = operation.route.declaration.replies[status];
  if (declared && (isEmpty(declared) || isContent(declared))) {
    responseHeaders.set(reply).headers(headers).status(status);
    if (isEmpty(declared)) reply.removeHeader('content-type').send();
    else reply.header('content-type', declared.type).send(body);
    return;
  }
  const text = textOf(body);
  const length = text === undefined ? (body as JsonBytes).length : Buffer.byteLength(text);
  const head = responseHeaders.of(reply.request);
  const isCompressed = negotiate(head, reply, operation, length, compressions);
  const isLarge = length >= backpressureThreshold;
  if (text !== undefined && !isLarge && !isCompressed) {
    sendText(reply, status, head, text, length);
    return;
  }
  const { parts, streamed } = text === undefined ? (body as JsonBytes) : new JsonBytes(Buffer.from(text));
  const held = isCompressed ? length + compressionMemory : length;
  if (isLarge) unsent.hold(reply.raw, accountOf(reply, operation), held);
  if (streamed) reply.raw.once('finish', () => isSent(reply) && streamed.release());
  if (!isCompressed) head.push('content-length', length);
  reply.hijack();
  reply.raw.writeHead(status, head);
  if (isCompressed && reply.request.method === 'HEAD') reply.raw.end();
  else if (isCompressed) sendCompressed(compressions.into(reply.raw, accountOf(reply, operation)), parts);
  else if (isLarge) sendWithBackpressure(reply.raw, parts);
  else sendParts(reply, parts);
}

/** Writes records as they come. */
export async function sendChunks(
  reply: FastifyReply,
  operation: Operation,
  { status, body }: AnyOutput & { readonly body: JsonChunks },
  { responseHeaders, compressions }: ResponseDeps,
): Promise<void> {
  const head = responseHeaders.of(reply.request);
  // Only a short answer has a short first piece.
  const isCompressed = negotiate(head, reply, operation, body.first?.length ?? 0, compressions);
  const { raw } = reply.hijack();
  const compressor = isCompressed ? compressions.into(raw, accountOf(reply, operation)) : undefined;
  await stream(raw, status, head, body, compressor);
}

/** Says in the head of a JSON answer whether it is compressed. */
function negotiate(
  head: RawHeaders,
  { request }: FastifyReply,
  operation: Operation,
  length: number,
  compressions: CompressionSlots,
): boolean {
  if (length < compressionThreshold || operation.returnsSecret) return false;
  head.push('vary', 'accept-encoding');
  const isAccepted = negotiateEncoding(request.headers['accept-encoding'], ['gzip']) !== undefined;
  if (!isAccepted || !compressions.mayTake(accountOf({ request }, operation))) return false;
  head.push('content-encoding', 'gzip');
  return true;
}

/** Whose answers share memory and compressions: an account, or the address of a client without one. */
function accountOf({ request }: Pick<FastifyReply, 'request'>, operation: Operation): string {
  return scopeOf(request, operation)?.ownerId ?? request.ip;
}

function textOf(body: unknown): string | undefined {
  if (body instanceof JsonBytes) return undefined;
  return body instanceof JsonString ? body.text : JSON.stringify(body);
}

/** In one packet. What is plain ASCII is written as Latin-1, which needs no second look at every letter. */
function sendText(reply: FastifyReply, status: number, head: RawHeaders, text: string, length: number): void {
  head.push('content-length', length);
  reply.hijack();
  reply.raw.writeHead(status, head);
  reply.raw.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Together in one packet where they fit, and never copied into one piece, which the framework would need. */
function sendParts({ raw }: FastifyReply, parts: readonly Uint8Array[]): void {
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  raw.uncork();
}

/** Sends a body that is the same for everyone, or says that the client has it. Returns the status. */
export async function sendShared(
  reply: FastifyReply,
  operation: Operation,
  { status, headers = {} }: AnyOutput,
  { body, responseHeaders }: { readonly body: SharedBody; readonly responseHeaders: ResponseHeaders },
): Promise<number> {
  const asked = reply.request.headers;
  const { bytes, etag, encoding } = await body.for(asked['accept-encoding']);
  responseHeaders
    .set(reply)
    .headers(headers)
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', body.cacheControl);
  if (matchesEtag(asked['if-none-match'], etag)) {
    reply.removeHeader('content-type').status(304).send();
    return 304;
  }
  const declared = operation.route.declaration.replies[status];
  if (declared && isContent(declared)) reply.header('content-type', declared.type);
  if (encoding) reply.header('content-encoding', encoding);
  reply.status(status);
  if (bytes.length < backpressureThreshold) reply.send(bytes);
  else {
    reply.hijack();
    reply.raw.writeHead(status, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-length': bytes.length,
    });
    sendWithBackpressure(reply.raw, [bytes]);
  }
  return status;
}

/** Of an answer that is finished: whether the system has all of it. When a client leaves, it may still be in the middle. */
function isSent({ request }: FastifyReply): boolean {
  return !request.socket.destroyed;
}

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

/** Sends a handler's output in the format that the route declares for its status. */
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
  const json = serialize(body);
  const length = json === undefined ? (body as JsonBytes).length : Buffer.byteLength(json);
  const rawHeaders = responseHeaders.of(reply.request);
  const isCompressed = negotiate(rawHeaders, reply, operation, length, compressions);
  const isLarge = length >= backpressureThreshold;
  if (json !== undefined && !isLarge && !isCompressed) {
    sendString(reply, status, rawHeaders, json, length);
    return;
  }
  const { chunks, streamed } = json === undefined ? (body as JsonBytes) : new JsonBytes(Buffer.from(json));
  const held = isCompressed ? length + compressionMemory : length;
  if (isLarge) unsent.hold(reply.raw, accountOf(reply, operation), held);
  if (streamed) reply.raw.once('finish', () => isSent(reply) && streamed.release());
  if (!isCompressed) rawHeaders.push('content-length', length);
  reply.hijack();
  reply.raw.writeHead(status, rawHeaders);
  if (isCompressed && reply.request.method === 'HEAD') reply.raw.end();
  else if (isCompressed)
    sendCompressed(compressions.compressTo(reply.raw, accountOf(reply, operation)), chunks);
  else if (isLarge) sendWithBackpressure(reply.raw, chunks);
  else sendCorked(reply, chunks);
}

/** Streams records as they are produced. */
export async function sendChunks(
  reply: FastifyReply,
  operation: Operation,
  { status, body }: AnyOutput & { readonly body: JsonChunks },
  { responseHeaders, compressions }: ResponseDeps,
): Promise<void> {
  const rawHeaders = responseHeaders.of(reply.request);
  // Only a short response has a short first chunk.
  const isCompressed = negotiate(rawHeaders, reply, operation, body.first?.length ?? 0, compressions);
  const { raw } = reply.hijack();
  const compressor = isCompressed ? compressions.compressTo(raw, accountOf(reply, operation)) : undefined;
  await stream(raw, status, rawHeaders, body, compressor);
}

/** Decides whether a JSON response is compressed, and adds the headers that say so. */
function negotiate(
  rawHeaders: RawHeaders,
  { request }: FastifyReply,
  operation: Operation,
  length: number,
  compressions: CompressionSlots,
): boolean {
  if (length < compressionThreshold || operation.returnsSecret) return false;
  rawHeaders.push('vary', 'accept-encoding');
  const isAccepted = negotiateEncoding(request.headers['accept-encoding'], ['gzip']) !== undefined;
  if (!isAccepted || !compressions.mayTake(accountOf({ request }, operation))) return false;
  rawHeaders.push('content-encoding', 'gzip');
  return true;
}

/** The key of memory and compression shares: the account, or the client address of an unauthenticated request. */
function accountOf({ request }: Pick<FastifyReply, 'request'>, operation: Operation): string {
  return scopeOf(request, operation)?.ownerId ?? request.ip;
}

function serialize(body: unknown): string | undefined {
  if (body instanceof JsonBytes) return undefined;
  return body instanceof JsonString ? body.json : JSON.stringify(body);
}

/** Sends headers and body in one packet. ASCII is written as Latin-1, which Node encodes faster than UTF-8. */
function sendString(
  reply: FastifyReply,
  status: number,
  rawHeaders: RawHeaders,
  json: string,
  length: number,
): void {
  rawHeaders.push('content-length', length);
  reply.hijack();
  reply.raw.writeHead(status, rawHeaders);
  reply.raw.end(json, length === json.length ? 'latin1' : 'utf8');
}

/** Corked, so that the chunks share a packet without being concatenated, which the framework would require. */
function sendCorked({ raw }: FastifyReply, chunks: readonly Uint8Array[]): void {
  raw.cork();
  for (const chunk of chunks) raw.write(chunk);
  raw.end();
  raw.uncork();
}

/** Sends a shared body, or 304 if the client's copy is current. Returns the status. */
export async function sendShared(
  reply: FastifyReply,
  operation: Operation,
  { status, headers = {} }: AnyOutput,
  { body, responseHeaders }: { readonly body: SharedBody; readonly responseHeaders: ResponseHeaders },
): Promise<number> {
  const requestHeaders = reply.request.headers;
  const { bytes, etag, encoding } = await body.representationFor(requestHeaders['accept-encoding']);
  responseHeaders
    .set(reply)
    .headers(headers)
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', body.cacheControl);
  if (matchesEtag(requestHeaders['if-none-match'], etag)) {
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

/** Whether a finished response was passed to the kernel completely; after a disconnect part of it may be pending. */
function isSent({ request }: FastifyReply): boolean {
  return !request.socket.destroyed;
}

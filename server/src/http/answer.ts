import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { acceptedEncoding } from './accepted.ts';
import { type Compressions, compressedFrom, compressionMemory } from './compressions.ts';
import type { Head, Heads } from './head.ts';
import type { Operation } from './operation.ts';
import { pacedFrom, sendCompressed, sendPaced } from './paced-body.ts';
import { scopeOf } from './perform.ts';
import { isContent, isEmpty, JsonBytes, type JsonChunks, JsonText } from './reply.ts';
import type { AnyOutput } from './route.ts';
import { hasTag, type SharedBody } from './shared-body.ts';
import { stream } from './stream.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

export interface AnswerDeps {
  readonly heads: Heads;
  readonly unsent: UnsentAnswers;
  readonly compressions: Compressions;
}

/** Writes what a route answered, in the form that it declared for the status. */
export function send(
  reply: FastifyReply,
  operation: Operation,
  { status, headers = {}, body }: AnyOutput,
  { heads, unsent, compressions }: AnswerDeps,
): void {
  const declared = operation.route.declaration.replies[status];
  if (declared && (isEmpty(declared) || isContent(declared))) {
    heads.set(reply).headers(headers).status(status);
    if (isEmpty(declared)) reply.removeHeader('content-type').send();
    else reply.header('content-type', declared.type).send(body);
    return;
  }
  const text = textOf(body);
  const length = text === undefined ? (body as JsonBytes).length : Buffer.byteLength(text);
  const head = heads.of(reply.request);
  const isCompressed = negotiate(head, reply, operation, length, compressions);
  const isLarge = length >= pacedFrom;
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
  else if (isLarge) sendPaced(reply.raw, parts);
  else sendParts(reply, parts);
}

/** Writes records as they come. */
export async function sendChunks(
  reply: FastifyReply,
  operation: Operation,
  { status, body }: AnyOutput & { readonly body: JsonChunks },
  { heads, compressions }: AnswerDeps,
): Promise<void> {
  const head = heads.of(reply.request);
  // Only a short answer has a short first piece.
  const isCompressed = negotiate(head, reply, operation, body.first?.length ?? 0, compressions);
  const { raw } = reply.hijack();
  const compressor = isCompressed ? compressions.into(raw, accountOf(reply, operation)) : undefined;
  await stream(raw, status, head, body, compressor);
}

/** Says in the head of a JSON answer whether it is compressed. */
function negotiate(
  head: Head,
  { request }: FastifyReply,
  operation: Operation,
  length: number,
  compressions: Compressions,
): boolean {
  if (length < compressedFrom || operation.showsSecret) return false;
  head.push('vary', 'accept-encoding');
  const isAccepted = acceptedEncoding(request.headers['accept-encoding'], ['gzip']) !== undefined;
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
  return body instanceof JsonText ? body.text : JSON.stringify(body);
}

/** In one packet. What is plain ASCII is written as Latin-1, which needs no second look at every letter. */
function sendText(reply: FastifyReply, status: number, head: Head, text: string, length: number): void {
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
  { body, heads }: { readonly body: SharedBody; readonly heads: Heads },
): Promise<number> {
  const asked = reply.request.headers;
  const { bytes, etag, encoding } = await body.for(asked['accept-encoding']);
  heads
    .set(reply)
    .headers(headers)
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', body.cacheControl);
  if (hasTag(asked['if-none-match'], etag)) {
    reply.removeHeader('content-type').status(304).send();
    return 304;
  }
  const declared = operation.route.declaration.replies[status];
  if (declared && isContent(declared)) reply.header('content-type', declared.type);
  if (encoding) reply.header('content-encoding', encoding);
  reply.status(status);
  if (bytes.length < pacedFrom) reply.send(bytes);
  else {
    reply.hijack();
    reply.raw.writeHead(status, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-length': bytes.length,
    });
    sendPaced(reply.raw, [bytes]);
  }
  return status;
}

/** Of an answer that is finished: whether the system has all of it. When a client leaves, it may still be in the middle. */
function isSent({ request }: FastifyReply): boolean {
  return !request.socket.destroyed;
}

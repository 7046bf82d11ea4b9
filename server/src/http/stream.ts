import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ClientLeft } from './client-left.ts';
import type { JsonPieces } from './reply.ts';

/**
 * Writes records as they come, no faster than the client reads. When they break off, the connection does too: an answer
 * without its last chunk is taken for whole by no client.
 */
export async function stream(reply: FastifyReply, { first, rest }: JsonPieces): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    let head = '{"data":[';
    for (let piece = first; piece; piece = await next(rest)) {
      if (raw.destroyed) throw new ClientLeft();
      raw.cork();
      if (head) raw.write(head);
      head = '';
      const goesOn = raw.write(piece);
      raw.uncork();
      if (!goesOn) await room(raw);
    }
    if (raw.destroyed) throw new ClientLeft();
    raw.end(`${head}]}`);
  } catch (error) {
    raw.destroy();
    throw error;
  } finally {
    await rest.return?.();
  }
}

async function next(rest: JsonPieces['rest']): Promise<Uint8Array | undefined> {
  const { value, done } = await rest.next();
  return done ? undefined : value;
}

/** Until the client has read what was written, or is gone. */
function room(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      raw.off('drain', look);
      raw.off('close', look);
      resolve();
    };
    raw.on('drain', look);
    raw.on('close', look);
    if (raw.destroyed) look();
  });
}

import { createReadStream } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { finished, pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { ClientDisconnected } from './client-disconnect.ts';
import type { ResponseHeaders } from './response-headers.ts';

/** A response that is a file. It is released when it was sent, or the client disconnected. */
export class DocumentFile {
  readonly path: string;
  readonly length: number;
  readonly type: string;
  /** The name that a browser saves it under; undefined for what programs read. */
  readonly name: string | undefined;
  readonly release: () => void;

  constructor({ path, length, type, name, release }: DocumentFile) {
    this.path = path;
    this.length = length;
    this.type = type;
    this.name = name;
    this.release = release;
  }
}

export async function sendFile(
  reply: FastifyReply,
  status: number,
  file: DocumentFile,
  responseHeaders: ResponseHeaders,
): Promise<void> {
  try {
    if (reply.raw.destroyed) throw new ClientDisconnected();
    responseHeaders.set(reply);
    const headers = {
      ...reply.getHeaders(),
      'content-type': file.type,
      'content-length': file.length,
      ...(file.name !== undefined && { 'content-disposition': `attachment; filename="${file.name}"` }),
    };
    const { raw } = reply.hijack();
    raw.writeHead(status, headers as OutgoingHttpHeaders);
    if (reply.request.method === 'HEAD') await finished(raw.end());
    else await pipeline(createReadStream(file.path, { highWaterMark: 256 * 1024 }), raw);
  } catch (error) {
    reply.raw.destroy();
    throw (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
      ? new ClientDisconnected()
      : error;
  } finally {
    file.release();
  }
}

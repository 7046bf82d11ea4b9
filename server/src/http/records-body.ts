import { isAscii } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import { freeBytes } from '../platform/streamed-buffer.ts';
import { BodiesInFlight, type BodyInFlight } from './bodies-in-flight.ts';

/** A batch of records: a JSON array, or newline-delimited JSON. */
export interface RecordsBody {
  readonly form: 'array' | 'lines';
  readonly text: string;
}

/** Bytes as received, and after decompression. */
const limits = { received: 16 * 1024 * 1024, decompressed: 64 * 1024 * 1024 };

const forms: Readonly<Record<string, RecordsBody['form']>> = {
  'application/json': 'array',
  'application/x-ndjson': 'lines',
};
const decoder = new TextDecoder('utf-8', { fatal: true });
/** Bytes decompressed at a time. */
const chunkSize = 256 * 1024;

/** Registers the parser of record batches in its own Fastify scope: elsewhere a body is a single JSON value. */
export function registerRecordsParser(fastify: FastifyInstance): void {
  const bodies = new BodiesInFlight();
  const expected = new WeakMap<FastifyRequest, BodyInFlight>();
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    expected.set(request, bodies.open(request.agentScope?.ownerId ?? '', reply));
    done(null, payload);
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    '*',
    async (request: FastifyRequest, payload: Readable): Promise<RecordsBody> => {
      const body = expected.get(request) as BodyInFlight;
      const bytes = await body.read(payload, limits.received);
      const form = formOf(request.headers['content-type']);
      const content = isGzip(request.headers['content-encoding']) ? await decompress(bytes, body) : bytes;
      // Concatenating and decoding each take milliseconds: let other requests run in between.
      await nextIteration();
      const text = decode(content);
      // Bodies of megabytes would wait for a garbage collection.
      freeBytes(bytes);
      freeBytes(content);
      return { form, text };
    },
  );
}

function formOf(contentType = ''): RecordsBody['form'] {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const form = forms[type];
  if (form) return form;
  throw new Refusal(
    'UNSUPPORTED_CONTENT',
    `Content-Type ${quoted(type)} is not supported: send application/x-ndjson or application/json.`,
  );
}

function isGzip(encoding: string | undefined): boolean {
  if (encoding === 'gzip') return true;
  if (!encoding || encoding === 'identity') return false;
  throw new Refusal(
    'UNSUPPORTED_CONTENT',
    `Content-Encoding ${quoted(encoding)} is not supported: use gzip or none.`,
  );
}

/** Counts every chunk against the limits, because a few bytes can decompress to many. */
async function decompress(bytes: Buffer, body: BodyInFlight): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize });
  gunzip.end(bytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of gunzip) {
      size += chunk.length;
      if (size > limits.decompressed) throw tooLarge();
      body.add(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('MALFORMED_BODY', 'The body is not valid gzip, or it is truncated: send it again.');
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(): Refusal {
  return new Refusal(
    'BODY_TOO_LARGE',
    `The body is larger than ${limits.decompressed} bytes after decompression: send smaller batches.`,
  );
}

/** Most bodies are ASCII, and decoding those as Latin-1 takes half the time. */
function decode(bytes: Buffer): string {
  try {
    return isAscii(bytes) ? bytes.toString('latin1') : decoder.decode(bytes);
  } catch {
    throw new Refusal('MALFORMED_BODY', 'The body is not valid UTF-8: encode it as UTF-8.');
  }
}

import { isAscii } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate as nextRun } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import { BodiesInFlight, type BodyInFlight } from './bodies-in-flight.ts';

/** Many records in one request: a JSON array, or one record on each line. */
export interface RecordsBody {
  readonly form: 'array' | 'lines';
  readonly text: string;
}

/** As it arrives, and as it is after it was unpacked. */
const limits = { packed: 16 * 1024 * 1024, unpacked: 64 * 1024 * 1024 };

const forms: Readonly<Record<string, RecordsBody['form']>> = {
  'application/json': 'array',
  'application/x-ndjson': 'lines',
};
const decoder = new TextDecoder('utf-8', { fatal: true });
/** What is unpacked in one go. */
const chunkSize = 256 * 1024;

/** Reads bodies of records, in a part of the server of their own: elsewhere a body is one JSON value. */
export function registerRecordsParser(part: FastifyInstance): void {
  const bodies = new BodiesInFlight();
  const expected = new WeakMap<FastifyRequest, BodyInFlight>();
  part.addHook('preParsing', (request, reply, arriving, done) => {
    expected.set(request, bodies.open(request.agentScope?.ownerId ?? '', reply));
    done(null, arriving);
  });
  part.removeAllContentTypeParsers();
  part.addContentTypeParser(
    '*',
    async (request: FastifyRequest, arriving: Readable): Promise<RecordsBody> => {
      const body = expected.get(request) as BodyInFlight;
      const bytes = await body.read(arriving, limits.packed);
      const form = formOf(request.headers['content-type']);
      const content = isPacked(request.headers['content-encoding']) ? await unpacked(bytes, body) : bytes;
      // What arrived was just put together, which takes as long: whoever waits comes in between.
      await nextRun();
      return { form, text: textOf(content) };
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

function isPacked(encoding: string | undefined): boolean {
  if (encoding === 'gzip') return true;
  if (!encoding || encoding === 'identity') return false;
  throw new Refusal(
    'UNSUPPORTED_CONTENT',
    `Content-Encoding ${quoted(encoding)} is not supported: use gzip or none.`,
  );
}

/** Counted piece by piece, for a few bytes can unpack to many. */
async function unpacked(bytes: Buffer, body: BodyInFlight): Promise<Buffer> {
  const unpacking = createGunzip({ chunkSize });
  unpacking.end(bytes);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of unpacking) {
      size += part.length;
      if (size > limits.unpacked) throw tooLarge();
      body.add(part.length);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('MALFORMED_BODY', 'The body is not valid gzip, or it is truncated: send it again.');
  }
  return Buffer.concat(parts, size);
}

function tooLarge(): Refusal {
  return new Refusal(
    'BODY_TOO_LARGE',
    `The body is larger than ${limits.unpacked} bytes after decompression: send smaller batches.`,
  );
}

/** Most bodies are plain ASCII, which is taken as it is in half the time. */
function textOf(bytes: Buffer): string {
  try {
    return isAscii(bytes) ? bytes.toString('latin1') : decoder.decode(bytes);
  } catch {
    throw new Refusal('MALFORMED_BODY', 'The body is not valid UTF-8: encode it as UTF-8.');
  }
}

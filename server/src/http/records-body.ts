import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { BodiesInFlight } from './bodies-in-flight.ts';

/** Many records in one request: a JSON array, or one record on each line. */
export interface RecordsBody {
  readonly form: 'array' | 'lines';
  readonly text: string;
}

/** As it arrives, and as it is after it was unpacked. */
export const recordsLimits = { packed: 16 * 1024 * 1024, unpacked: 64 * 1024 * 1024 };

const forms: Readonly<Record<string, RecordsBody['form']>> = {
  'application/json': 'array',
  'application/x-ndjson': 'lines',
};
const unpack = promisify(gunzip);
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads bodies of records, in a part of the server of their own: elsewhere a body is one JSON value. */
export function registerRecordsParser(part: FastifyInstance): void {
  part.removeAllContentTypeParsers();
  const bodies = new BodiesInFlight();
  part.addHook('preParsing', (request, reply, body, done) => {
    done(null, bodies.counted(body, request, reply));
  });
  const options = { parseAs: 'buffer', bodyLimit: recordsLimits.packed } as const;
  part.addContentTypeParser(
    '*',
    options,
    async (request: FastifyRequest, bytes: Buffer): Promise<RecordsBody> => {
      const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
      const form = forms[type];
      if (!form) {
        throw new Refusal(
          'UNSUPPORTED_CONTENT',
          `Content-Type '${type.slice(0, 100)}' is not accepted: send application/x-ndjson or application/json.`,
        );
      }
      const content = await unpacked(bytes, request.headers['content-encoding']);
      if (content !== bytes) bodies.add(content.length, request);
      return { form, text: textOf(content) };
    },
  );
}

async function unpacked(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (!encoding || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') {
    throw new Refusal(
      'UNSUPPORTED_CONTENT',
      `Content-Encoding '${encoding.slice(0, 100)}' is not accepted: use gzip or none.`,
    );
  }
  try {
    return await unpack(bytes, { maxOutputLength: recordsLimits.unpacked });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Refusal(
        'BODY_TOO_LARGE',
        `The body has more than ${recordsLimits.unpacked} bytes when it is unpacked: send less at once.`,
      );
    }
    throw new Refusal('MALFORMED_BODY', 'The body is not gzip, or it is cut off: send it again.');
  }
}

function textOf(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refusal('MALFORMED_BODY', 'The body is not UTF-8.');
  }
}

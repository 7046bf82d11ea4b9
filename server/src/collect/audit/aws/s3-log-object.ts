import { createHash } from 'node:crypto';
import { AwsError } from '../../../outbound/aws/aws-error.ts';
import { LogFault } from '../formats/log-fault.ts';
import { type LogObject, maxLogBytes } from '../source.ts';
import type { AwsAccess } from './aws-access.ts';
import type { NoticedObject } from './object-notice.ts';

const timeout = 120_000;
const maxKnownRegions = 10_000;

/** Reads announced objects. */
export class S3Logs {
  readonly #access: AwsAccess;
  /** By bucket, learnt from error responses: not every notice names the region. */
  readonly #regions = new Map<string, string>();
  readonly #home: string;

  constructor(access: AwsAccess, home: string) {
    this.#access = access;
    this.#home = home;
  }

  object(noticed: NoticedObject): LogObject {
    const { bucket, key, etag = '' } = noticed;
    return {
      name: `s3://${bucket}/${key}`,
      identity: createHash('sha256')
        .update(JSON.stringify([bucket, key, etag]))
        .digest('hex'),
      fetch: (_, signal) => this.#fetch(noticed, signal),
    };
  }

  async #fetch(noticed: NoticedObject, signal: AbortSignal): Promise<Uint8Array> {
    if ((noticed.size ?? 0) > maxLogBytes) throw tooLarge();
    const region = this.#regions.get(noticed.bucket) ?? noticed.region ?? this.#home;
    try {
      return await this.#get(noticed, region, signal);
    } catch (error) {
      const actual = error instanceof AwsError ? error.bucketRegion : undefined;
      if (actual === undefined || actual === region) throw faultOf(error);
      if (this.#regions.size >= maxKnownRegions) this.#regions.clear();
      this.#regions.set(noticed.bucket, actual);
      return await this.#get(noticed, actual, signal).catch((again: unknown) => {
        throw faultOf(again);
      });
    }
  }

  async #get({ bucket, key }: NoticedObject, region: string, signal: AbortSignal): Promise<Uint8Array> {
    // As in S3 of the outbound clients: certificates do not match names with dots.
    const usesPathStyle = bucket.includes('.') || this.#access.hasOwnEndpoint;
    const segments = [...(usesPathStyle ? [bucket] : []), ...key.split('/')];
    const reply = await this.#access.call(
      {
        ...{ service: 's3', region, method: 'GET', body: '' },
        ...(!usesPathStyle && { subdomain: bucket }),
        path: `/${segments.map(encodeURIComponent).join('/')}`,
      },
      { signal, timeout, maxBytes: maxLogBytes + 1 },
    );
    if (reply.body.length > maxLogBytes) throw tooLarge();
    return reply.body;
  }
}

function tooLarge(): LogFault {
  return new LogFault(`is larger than ${maxLogBytes / 1024 / 1024} MB`);
}

/** An object that was deleted since its notice does not come back. */
function faultOf(error: unknown): unknown {
  if (error instanceof AwsError && error.code === 'NoSuchKey') return new LogFault('does not exist any more');
  if (error instanceof Error && /^The reply of .* is larger than/.test(error.message)) return tooLarge();
  return error;
}

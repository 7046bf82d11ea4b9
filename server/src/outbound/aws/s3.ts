import { OutboundError } from '../outbound.ts';
import { parseArn } from './arn.ts';
import type { Aws } from './aws.ts';
import { AwsError } from './aws-error.ts';
import type { AwsRole } from './credentials.ts';

export interface S3Object {
  /** Bucket, with or without the beginning of keys: `arn:aws:s3:::bucket/prefix`. */
  readonly bucketArn: string;
  /** What follows that beginning. */
  readonly key: string;
  readonly body: string | Uint8Array;
  readonly contentType: string;
  readonly contentEncoding?: string;
}

const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const mostKnown = 10_000;

/** Writes objects into buckets of others. */
export class S3 {
  readonly #aws: Aws;
  /** The ARN of a bucket does not say where it is; a refusal does. */
  readonly #regions = new Map<string, string>();

  constructor(aws: Aws) {
    this.#aws = aws;
  }

  /** Puts an object in place of the one with the same key, if there is one; returns its whole key. */
  async put(object: S3Object, role: AwsRole): Promise<string> {
    const { partition, resource } = parseArn(object.bucketArn, 's3', 'bucketArn');
    const [bucket = '', ...prefix] = resource.split('/');
    if (!bucketForm.test(bucket))
      throw new OutboundError('bucketArn is not the ARN of a bucket: correct it.', { isFinal: true });
    const key = [...prefix.filter((part) => !/^\.{0,2}$/.test(part)), object.key].join('/');
    const region = this.#regions.get(bucket) ?? this.#aws.homeOf(partition);
    try {
      await this.#put(bucket, key, region, object, role);
    } catch (error) {
      const actual = error instanceof AwsError ? error.bucketRegion : undefined;
      if (actual === undefined || actual === region) throw error;
      if (this.#regions.size >= mostKnown) this.#regions.clear();
      this.#regions.set(bucket, actual);
      await this.#put(bucket, key, actual, object, role);
    }
    return key;
  }

  async #put(bucket: string, key: string, region: string, object: S3Object, role: AwsRole): Promise<void> {
    // A certificate of AWS covers no bucket with dots, and others than AWS may know no names of buckets.
    const inPath = bucket.includes('.') || this.#aws.hasOwnEndpoint;
    await this.#aws.request(
      {
        service: 's3',
        region,
        method: 'PUT',
        ...(!inPath && { subdomain: bucket }),
        path: `/${[...(inPath ? [bucket] : []), ...key.split('/')].map(encodeURIComponent).join('/')}`,
        headers: {
          'content-type': object.contentType,
          ...(object.contentEncoding && { 'content-encoding': object.contentEncoding }),
        },
        body: object.body,
      },
      role,
    );
  }
}

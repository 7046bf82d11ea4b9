import { OutboundError } from '../outbound.ts';
import { parseArn } from './arn.ts';
import type { Aws } from './aws.ts';
import { AwsError } from './aws-error.ts';
import type { AwsRole } from './credentials.ts';

export interface S3Object {
  /** Bucket with an optional key prefix: `arn:aws:s3:::bucket/prefix`. */
  readonly bucketArn: string;
  /** Key after the prefix. */
  readonly key: string;
  readonly body: string | Uint8Array;
  readonly contentType: string;
  readonly contentEncoding?: string;
}

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const maxKnownRegions = 10_000;

/** Writes objects into customers' buckets. */
export class S3 {
  readonly #aws: Aws;
  /** Regions by bucket, learnt from error responses because a bucket ARN has no region. */
  readonly #regions = new Map<string, string>();

  constructor(aws: Aws) {
    this.#aws = aws;
  }

  /** Creates or replaces an object; returns its full key. */
  async put(object: S3Object, role: AwsRole): Promise<string> {
    const { partition, resource } = parseArn(object.bucketArn, 's3', 'bucketArn');
    const [bucket = '', ...prefix] = resource.split('/');
    if (!bucketPattern.test(bucket))
      throw new OutboundError('bucketArn is not the ARN of a bucket: correct it.', { isFinal: true });
    const key = [...prefix.filter((part) => !/^\.{0,2}$/.test(part)), object.key].join('/');
    const region = this.#regions.get(bucket) ?? this.#aws.homeOf(partition);
    try {
      await this.#put(bucket, key, region, object, role);
    } catch (error) {
      const actual = error instanceof AwsError ? error.bucketRegion : undefined;
      if (actual === undefined || actual === region) throw error;
      if (this.#regions.size >= maxKnownRegions) this.#regions.clear();
      this.#regions.set(bucket, actual);
      await this.#put(bucket, key, actual, object, role);
    }
    return key;
  }

  async #put(bucket: string, key: string, region: string, object: S3Object, role: AwsRole): Promise<void> {
    // AWS certificates do not match bucket names with dots, and other endpoints may not support virtual hosts.
    const usesPathStyle = bucket.includes('.') || this.#aws.hasOwnEndpoint;
    await this.#aws.request(
      {
        service: 's3',
        region,
        method: 'PUT',
        ...(!usesPathStyle && { subdomain: bucket }),
        path: `/${[...(usesPathStyle ? [bucket] : []), ...key.split('/')].map(encodeURIComponent).join('/')}`,
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

import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { Clock } from '../../platform/clock.ts';
import { ExpiringCache } from '../expiring-cache.ts';
import type { Outbound, OutboundReply, OutboundRequest } from '../outbound.ts';
import { domainOf, homeOf, parseArn } from './arn.ts';
import { AwsError } from './aws-error.ts';
import type { BaseCredentials } from './base-credentials.ts';
import type { AwsCredentials, AwsRole } from './credentials.ts';
import { xmlElement } from './xml.ts';

export interface AwsDeps {
  readonly outbound: Outbound;
  readonly base: BaseCredentials;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

export interface AwsRequest {
  readonly service: string;
  readonly region: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Host prefix, such as a bucket name. */
  readonly subdomain?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export type SignedRequest = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>;

const roleSeconds = 3_600;
const margin = 300_000;

/** Signs AWS requests and sends them through the outbound client. */
export class Aws {
  readonly #deps: AwsDeps;
  readonly #assumed: ExpiringCache<AwsCredentials>;

  constructor(deps: AwsDeps) {
    this.#deps = deps;
    this.#assumed = new ExpiringCache(deps.clock, margin);
  }

  /** Whether AWS_ENDPOINT_URL replaces AWS with an emulator or a compatible store. */
  get hasOwnEndpoint(): boolean {
    return Boolean(this.#deps.environment.AWS_ENDPOINT_URL);
  }

  /** The region that serves the global services of a partition. */
  homeOf(partition: string): string {
    const { AWS_REGION, AWS_DEFAULT_REGION } = this.#deps.environment;
    return homeOf(partition, AWS_REGION || AWS_DEFAULT_REGION);
  }

  /**
   * Sends a request with the service's own credentials or with those of a role; throws an `AwsError` for an error
   * response.
   */
  async request(request: AwsRequest, role?: AwsRole): Promise<OutboundReply> {
    const signed = await this.signed(request, role);
    return this.accepted(
      request,
      await this.#deps.outbound.request({ ...signed, isForHostOnly: true }),
      role,
    );
  }

  /** The reply, unless it is an error. Credentials that AWS no longer accepts are not used again. */
  accepted<Reply extends OutboundReply>(
    { service }: AwsRequest,
    reply: Reply,
    as?: AwsRole | AwsCredentials,
  ): Reply {
    if (reply.status >= 200 && reply.status < 300) return reply;
    const error = AwsError.of(service, reply);
    if (as && 'roleArn' in as && /token|accesskeyid/i.test(error.code)) this.#assumed.forget(keyOf(as));
    throw error;
  }

  /** Those of a role, renewed before they expire, or the service's own. */
  async credentials(role?: AwsRole): Promise<AwsCredentials> {
    return role ? this.#assume(role) : this.#deps.base.get();
  }

  /** The request as it is sent: signed with the service's own credentials, those of a role, or given ones. */
  async signed(request: AwsRequest, as?: AwsRole | AwsCredentials): Promise<SignedRequest> {
    const { service, region, method, headers, body } = request;
    const credentials = as ? ('roleArn' in as ? await this.#assume(as) : as) : await this.#deps.base.get();
    const signer = new AwsV4Signer({
      method,
      url: this.#urlOf(request),
      headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
      body,
      service,
      region,
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      ...(credentials.sessionToken && { sessionToken: credentials.sessionToken }),
      datetime: new Date(this.#deps.clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    return { method, url: signed.url.href, headers: Object.fromEntries(signed.headers), body };
  }

  #urlOf({ service, region, subdomain, path = '/' }: AwsRequest): string {
    const { AWS_ENDPOINT_URL } = this.#deps.environment;
    if (AWS_ENDPOINT_URL) return AWS_ENDPOINT_URL.replace(/\/+$/, '') + path;
    return `https://${subdomain ? `${subdomain}.` : ''}${service}.${region}.${domainOf(region)}${path}`;
  }

  #assume(role: AwsRole): Promise<AwsCredentials> {
    return this.#assumed.get(keyOf(role), async () => {
      const { partition } = parseArn(role.roleArn, 'iam', 'roleArn');
      const reply = await this.request({
        service: 'sts',
        region: this.homeOf(partition),
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body: new URLSearchParams({
          Action: 'AssumeRole',
          Version: '2011-06-15',
          RoleArn: role.roleArn,
          RoleSessionName: 'vedette',
          ExternalId: role.externalId,
          DurationSeconds: String(roleSeconds),
        }).toString(),
      });
      return assumedIn(reply);
    });
  }
}

function keyOf({ roleArn, externalId }: AwsRole): string {
  return JSON.stringify([roleArn, externalId]);
}

function assumedIn({ status, text }: OutboundReply): { value: AwsCredentials; expiresAt: number } {
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    ...['AccessKeyId', 'SecretAccessKey', 'SessionToken', 'Expiration'].map((name) => xmlElement(text, name)),
  ];
  if (!accessKeyId || !secretAccessKey || !sessionToken || !expiration)
    throw new AwsError('sts', { status, code: 'InternalFailure', reason: 'the response has no credentials' });
  return { value: { accessKeyId, secretAccessKey, sessionToken }, expiresAt: Date.parse(expiration) };
}

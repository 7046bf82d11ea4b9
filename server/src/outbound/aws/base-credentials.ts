import { readFile } from 'node:fs/promises';
import type { Clock } from '../../platform/clock.ts';
import { ExpiringCache } from '../expiring-cache.ts';
import { type Outbound, OutboundError } from '../outbound.ts';
import type { AwsCredentials } from './credentials.ts';

export interface BaseCredentialsDeps {
  /** Read on each use, because tokens in it may be renewed. */
  readonly environment: NodeJS.ProcessEnv;
  /** Client for the metadata service, whose addresses the guarded client refuses; users can not set these addresses. */
  readonly metadata: Outbound;
  readonly clock: Clock;
}

type ExpiringCredentials = { value: AwsCredentials; expiresAt: number };

const timeout = 2_000;
const margin = 300_000;
const containerHost = 'http://169.254.170.2';
const instanceHost = 'http://169.254.169.254';

/** The service's own AWS credentials: from the environment, or from the role of the container or host. */
export class BaseCredentials {
  readonly #deps: BaseCredentialsDeps;
  readonly #roles: ExpiringCache<AwsCredentials>;

  constructor(deps: BaseCredentialsDeps) {
    this.#deps = deps;
    this.#roles = new ExpiringCache(deps.clock, margin);
  }

  async get(): Promise<AwsCredentials> {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = this.#deps.environment;
    if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)
      return {
        accessKeyId: AWS_ACCESS_KEY_ID,
        secretAccessKey: AWS_SECRET_ACCESS_KEY,
        sessionToken: AWS_SESSION_TOKEN || undefined,
      };
    return this.#roles.get('', () => this.#fromRole());
  }

  async #fromRole(): Promise<ExpiringCredentials> {
    const { environment } = this.#deps;
    const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: url } =
      environment;
    if (path || url) return this.#fromContainer(path ? containerHost + path : String(url));
    if (environment.AWS_EC2_METADATA_DISABLED === 'true') throw missingCredentials(undefined);
    return this.#fromInstance(environment.AWS_EC2_METADATA_SERVICE_ENDPOINT || instanceHost);
  }

  async #fromContainer(url: string): Promise<ExpiringCredentials> {
    const { AWS_CONTAINER_AUTHORIZATION_TOKEN: token, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file } =
      this.#deps.environment;
    const authorization = file ? (await readFile(file, 'utf8')).trim() : token;
    return credentialsIn(await this.#request('GET', url, authorization ? { authorization } : {}));
  }

  /** IMDSv2 only: IMDSv1 is open to server-side request forgery. */
  async #fromInstance(host: string): Promise<ExpiringCredentials> {
    const base = host.replace(/\/+$/, '');
    const lifetime = { 'x-aws-ec2-metadata-token-ttl-seconds': '300' };
    const token = {
      'x-aws-ec2-metadata-token': await this.#request('PUT', `${base}/latest/api/token`, lifetime),
    };
    const roles = `${base}/latest/meta-data/iam/security-credentials/`;
    const role = (await this.#request('GET', roles, token)).trim().split('\n')[0] ?? '';
    return credentialsIn(await this.#request('GET', roles + encodeURIComponent(role), token));
  }

  async #request(method: 'GET' | 'PUT', url: string, headers: Record<string, string>): Promise<string> {
    const reply = await this.#deps.metadata
      .request({ method, url, headers, timeout })
      .catch((error: unknown) => {
        throw missingCredentials(error);
      });
    if (reply.status !== 200)
      throw missingCredentials(new Error(`the metadata service answered ${reply.status}`));
    return reply.text;
  }
}

function credentialsIn(json: string): ExpiringCredentials {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = parsed(json);
  const expiresAt = Date.parse(String(Expiration));
  if (typeof AccessKeyId !== 'string' || typeof SecretAccessKey !== 'string' || Number.isNaN(expiresAt))
    throw missingCredentials(new Error('the metadata service returned no credentials'));
  return {
    value: {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: typeof Token === 'string' ? Token : undefined,
    },
    expiresAt,
  };
}

function parsed(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

/** Not final: once the operator has set credentials, waiting messages are sent. */
function missingCredentials(cause: unknown): OutboundError {
  return new OutboundError(
    'The service has no AWS credentials: its operator must set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or assign a role to its host or container.',
    { cause },
  );
}

import type { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import type { CallBudget } from '../inventory/budget.ts';
import { OutboundRequestHandler } from './request-handler.ts';
import { BudgetedRetry, maxAttempts } from './retry.ts';
import type { AwsAccount, AwsService, ClientPackage } from './service.ts';

/** Credentials as the SDK takes them: a provider that is asked again when they expire. */
export type CredentialProvider = () => Promise<{
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}>;

/** How an account is reached. */
export interface AwsAccess {
  readonly credentials: CredentialProvider;
  readonly outbound: BulkOutbound;
  readonly budget: CallBudget;
  /** Replaces the endpoints of all services, as AWS_ENDPOINT_URL does for other tools. */
  readonly endpoint?: string | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout?: number;
  /** Pages of one call. */
  readonly maxPages?: number;
}

export interface AwsSessionDeps extends AwsAccess {
  readonly account: AwsAccount;
}

type SdkClass = new (configuration: object) => unknown;

const defaultTimeout = 20_000;
/** A provider that never ends its pages must not keep a collection busy. */
const defaultMaxPages = 10_000;

/** The access of a collection to one AWS account. */
export class AwsSession {
  readonly account: AwsAccount;
  readonly maxPages: number;
  readonly #deps: AwsSessionDeps;
  readonly #clients = new Map<string, unknown>();

  constructor(deps: AwsSessionDeps) {
    this.account = deps.account;
    this.maxPages = deps.maxPages ?? defaultMaxPages;
    this.#deps = deps;
  }

  clientOf(service: AwsService, region: string, sdk: ClientPackage): unknown {
    const name = `${service.prefix} ${region}`;
    const cached = this.#clients.get(name);
    if (cached) return cached;
    // Its recommendation to upgrade is for those who choose the version of Node.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    const { credentials, outbound, budget, endpoint, timeout = defaultTimeout } = this.#deps;
    const before = (signal: AbortSignal) => budget.take(name, service.rate, signal);
    const Client = sdk[service.client] as SdkClass | undefined;
    if (!Client) throw new Error(`The client package of ${service.name} has no ${service.client}.`);
    const client = new Client({
      region,
      credentials,
      maxAttempts,
      retryStrategy: new BudgetedRetry({ budget, api: name }),
      requestHandler: new OutboundRequestHandler({ outbound, before, timeout, endpoint }),
      // Path style for S3: names with dots do not match the certificate of the other style.
      ...(service.prefix === 's3' && { forcePathStyle: true }),
      ...(endpoint && { endpoint }),
      // Otherwise the SDK takes AWS_ENDPOINT_URL from the environment by itself.
      ignoreConfiguredEndpointUrls: true,
    });
    this.#clients.set(name, client);
    return client;
  }
}

/** The region that is asked for services without regions. */
export function homeRegion(partition: string): string {
  const regions: Readonly<Record<string, string>> = { 'aws-us-gov': 'us-gov-west-1', 'aws-cn': 'cn-north-1' };
  return regions[partition] ?? 'us-east-1';
}

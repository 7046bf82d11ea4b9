import { createHash } from 'node:crypto';
import type { BulkOutbound } from '../../../outbound/bulk-outbound.ts';
import { ExpiringCache } from '../../../outbound/expiring-cache.ts';
import { OutboundError } from '../../../outbound/outbound.ts';
import type { Clock } from '../../../platform/clock.ts';
import { applicationCredential } from '../../azure/application.ts';
import { azureClouds } from '../../azure/endpoints.ts';

export interface AzureApplication {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const audience = 'https://storage.azure.com';
const margin = 300_000;

/** Access tokens of applications, for storage. */
export class AzureTokens {
  readonly #outbound: BulkOutbound;
  readonly #clock: Clock;
  readonly #tokens: ExpiringCache<string>;

  constructor(outbound: BulkOutbound, clock: Clock) {
    this.#outbound = outbound;
    this.#clock = clock;
    this.#tokens = new ExpiringCache(clock, margin);
  }

  get(application: AzureApplication): Promise<string> {
    return this.#tokens.get(keyOf(application), () => this.#obtain(application));
  }

  /** Drops a token that was rejected. */
  forget(application: AzureApplication): void {
    this.#tokens.forget(keyOf(application));
  }

  async #obtain({ tenantId, clientId, clientSecret }: AzureApplication) {
    const proof = { by: 'secret' as const, secret: clientSecret };
    const deps = { outbound: this.#outbound, clock: this.#clock, endpoints: azureClouds.public };
    const credential = applicationCredential({ tenantId, clientId, proof }, deps);
    try {
      return await credential(audience, new AbortController().signal);
    } catch (error) {
      throw new OutboundError((error as Error).message, { cause: error });
    }
  }
}

function keyOf({ tenantId, clientId, clientSecret }: AzureApplication): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, clientId, clientSecret]))
    .digest('hex');
}

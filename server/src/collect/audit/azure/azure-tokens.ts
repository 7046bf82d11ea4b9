import { createHash } from 'node:crypto';
import type { BulkOutbound } from '../../../outbound/bulk-outbound.ts';
import { ExpiringCache } from '../../../outbound/expiring-cache.ts';
import { OutboundError } from '../../../outbound/outbound.ts';
import type { Clock } from '../../../platform/clock.ts';
import { membersOf } from '../formats/members.ts';

export interface AzureApplication {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const scope = 'https://storage.azure.com/.default';
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
    const form = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope,
    };
    const reply = await this.#outbound.fetch({
      method: 'POST',
      url: `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    });
    const { access_token, expires_in, error, error_description } = parsed(reply.body);
    if (reply.status === 200 && typeof access_token === 'string')
      return { value: access_token, expiresAt: this.#clock.now() + Number(expires_in ?? 3_600) * 1_000 };
    // The description may repeat the request; its first sentence has the reason.
    const reason = String(error_description ?? error ?? '')
      .split(/[\r\n]|\. /)[0]
      ?.slice(0, 200);
    throw new OutboundError(`Azure issued no token to the application (${reply.status} ${reason}).`);
  }
}

function keyOf({ tenantId, clientId, clientSecret }: AzureApplication): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, clientId, clientSecret]))
    .digest('hex');
}

function parsed(body: Buffer) {
  try {
    return membersOf(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

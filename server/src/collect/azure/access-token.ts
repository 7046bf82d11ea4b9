import { ExpiringCache } from '../../outbound/expiring-cache.ts';
import type { Clock } from '../../platform/clock.ts';

export interface AccessToken {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Obtains a token for an API, which is named by its address: `https://management.azure.com`. */
export type AzureCredential = (audience: string, signal: AbortSignal) => Promise<AccessToken>;

const margin = 300_000;

/** Caches the tokens of one credential until shortly before they expire. */
export class AzureTokens {
  readonly #credential: AzureCredential;
  readonly #tokens: ExpiringCache<string>;

  constructor(credential: AzureCredential, clock: Clock) {
    this.#credential = credential;
    this.#tokens = new ExpiringCache(clock, margin);
  }

  get(audience: string, signal: AbortSignal): Promise<string> {
    return this.#tokens.get(audience, () => this.#credential(audience, signal));
  }

  /** Drops a token that was rejected. */
  forget(audience: string): void {
    this.#tokens.forget(audience);
  }
}

/** The tenant that issued a token, in lower case; undefined if the token does not say so. */
export function issuingTenant(token: string): string | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof claims.tid === 'string' ? claims.tid.toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}

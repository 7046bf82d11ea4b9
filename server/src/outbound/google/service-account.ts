import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { ExpiringCache } from '../expiring-cache.ts';
import { type Outbound, OutboundError } from '../outbound.ts';
import { type ExpiringToken, postForm, tokenEndpoint, tokenIn } from './token-endpoint.ts';

export interface GoogleServiceAccount {
  readonly clientEmail: string;
  readonly privateKeyId?: string | undefined;
  /** PEM. */
  readonly privateKey?: string | undefined;
}

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const lifetime = 3_600;
const margin = 300_000;

/** Access tokens of service accounts, requested with a JWT signed by the account's key. */
export class GoogleTokens {
  readonly #outbound: Outbound;
  readonly #clock: Clock;
  readonly #tokens: ExpiringCache<string>;

  constructor(outbound: Outbound, clock: Clock) {
    this.#outbound = outbound;
    this.#clock = clock;
    this.#tokens = new ExpiringCache(clock, margin);
  }

  get(account: GoogleServiceAccount, scope: string): Promise<string> {
    return this.#tokens.get(keyOf(account, scope), () => this.#obtain(account, scope));
  }

  /** Drops a token that was rejected. */
  forget(account: GoogleServiceAccount, scope: string): void {
    this.#tokens.forget(keyOf(account, scope));
  }

  async #obtain(account: GoogleServiceAccount, scope: string): Promise<ExpiringToken> {
    const now = this.#clock.now();
    const seconds = Math.floor(now / 1_000);
    const header = { alg: 'RS256', typ: 'JWT', ...(account.privateKeyId && { kid: account.privateKeyId }) };
    const claims = {
      iss: account.clientEmail,
      scope,
      aud: tokenEndpoint,
      iat: seconds,
      exp: seconds + lifetime,
    };
    const assertion = signed(header, claims, keyIn(account));
    const reply = await postForm(this.#outbound, tokenEndpoint, { grant_type: grant, assertion });
    return tokenIn(reply, now, [assertion], 'the service account');
  }
}

function keyOf({ clientEmail, privateKeyId, privateKey }: GoogleServiceAccount, scope: string): string {
  const identity = JSON.stringify([clientEmail, privateKeyId, privateKey, scope]);
  return createHash('sha256').update(identity).digest('hex');
}

function keyIn({ privateKey = '' }: GoogleServiceAccount): KeyObject {
  try {
    // Users copy the key from a JSON file, including the escaped line breaks.
    return createPrivateKey(privateKey.replaceAll('\\n', '\n'));
  } catch {
    throw new OutboundError('The private key of the service account is not valid PEM: correct it.', {
      isFinal: true,
    });
  }
}

function signed(header: object, claims: object, key: KeyObject): string {
  const signingInput = [header, claims].map((part) => base64url(JSON.stringify(part))).join('.');
  return `${signingInput}.${base64url(sign('RSA-SHA256', Buffer.from(signingInput), key))}`;
}

function base64url(data: string | Buffer): string {
  return Buffer.from(data as string).toString('base64url');
}

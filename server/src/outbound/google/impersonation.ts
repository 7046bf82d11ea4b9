import type { Clock } from '../../platform/clock.ts';
import type { Outbound } from '../outbound.ts';
import { cloudPlatformScope } from './credentials.ts';
import { googleAddress } from './google-address.ts';
import { type ExpiringToken, membersOf, refusal } from './token-endpoint.ts';

/** A token of the service account in the address, for a caller who may impersonate it. */
export async function impersonatedToken(
  url: string,
  token: string,
  { outbound, clock }: { readonly outbound: Outbound; readonly clock: Clock },
): Promise<ExpiringToken> {
  const reply = await outbound.request({
    method: 'POST',
    url: googleAddress(url, 'service_account_impersonation_url'),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: [cloudPlatformScope] }),
  });
  const { accessToken, expireTime } = membersOf(reply.text);
  const expiresAt = Date.parse(String(expireTime));
  if (reply.status !== 200 || typeof accessToken !== 'string')
    throw refusal(reply, [token], 'the impersonated service account');
  return { value: accessToken, expiresAt: Number.isNaN(expiresAt) ? clock.now() : expiresAt };
}

import type { Outbound, OutboundReply } from '../../outbound/outbound.ts';
import type { Clock } from '../../platform/clock.ts';
import { CollectError } from '../inventory/problem.ts';
import type { AzureCredential } from './access-token.ts';

const metadataUrl = 'http://169.254.169.254/metadata/identity/oauth2/token';
/** A host outside of Azure has no such address, and must not wait for it. */
const timeout = 2_000;

/** The identity that Azure gives to a host, or to an app by IDENTITY_ENDPOINT. */
export function managedIdentityCredential(
  environment: NodeJS.ProcessEnv,
  metadata: Outbound,
  clock: Clock,
): AzureCredential {
  const {
    IDENTITY_ENDPOINT: endpoint,
    IDENTITY_HEADER: header = '',
    AZURE_CLIENT_ID: clientId,
  } = environment;
  const own = endpoint
    ? { url: endpoint, version: '2019-08-01', headers: { 'x-identity-header': header } }
    : { url: metadataUrl, version: '2018-02-01', headers: { metadata: 'true' } };
  return async (audience) => {
    const query = new URLSearchParams({
      'api-version': own.version,
      resource: audience,
      ...(clientId && { client_id: clientId }),
    });
    const reply = await metadata
      .request({ method: 'GET', url: `${own.url}?${query}`, headers: own.headers, timeout })
      .catch((error: unknown) => {
        throw missing(error);
      });
    const { access_token, expires_on } = membersOf(reply);
    if (reply.status !== 200 || typeof access_token !== 'string') throw missing(reply.status);
    return { value: access_token, expiresAt: Number(expires_on) * 1_000 || clock.now() + 600_000 };
  };
}

function missing(cause: unknown): CollectError {
  return new CollectError({ status: 'denied', reason: 'The host has no managed identity.' }, cause);
}

function membersOf({ text }: OutboundReply): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

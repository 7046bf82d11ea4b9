import { createHash, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto';
import type { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import { OutboundError } from '../../outbound/outbound.ts';
import type { Clock } from '../../platform/clock.ts';
import { boundedReason, CollectError } from '../inventory/problem.ts';
import type { AccessToken, AzureCredential } from './access-token.ts';
import type { AzureEndpoints } from './endpoints.ts';

/** An application of a tenant, which proves its identity in one of three ways. */
export interface AzureApplication {
  readonly tenantId: string;
  readonly clientId: string;
  readonly proof:
    | { readonly by: 'secret'; readonly secret: string }
    /** PEM of the certificate and of its private key. */
    | { readonly by: 'certificate'; readonly pem: string }
    /** Returns the token of a workload identity, which is renewed by others. */
    | { readonly by: 'federation'; readonly token: () => Promise<string> };
}

export interface TokenDeps {
  readonly outbound: BulkOutbound;
  readonly clock: Clock;
  readonly endpoints: AzureEndpoints;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const assertionLifetime = 600;
const attempts = 3;

/** Requests tokens with the client credentials of an application. */
export function applicationCredential(application: AzureApplication, deps: TokenDeps): AzureCredential {
  const url = `${deps.endpoints.login}/${encodeURIComponent(application.tenantId)}/oauth2/v2.0/token`;
  return async (audience, signal) => {
    const form = {
      grant_type: 'client_credentials',
      client_id: application.clientId,
      scope: `${audience}/.default`,
      ...(await proofOf(application, url, deps.clock.now())),
    };
    return requested(url, form, deps, signal);
  };
}

async function proofOf(
  { clientId, proof }: AzureApplication,
  audience: string,
  now: number,
): Promise<Record<string, string>> {
  if (proof.by === 'secret') return { client_secret: proof.secret };
  const assertion =
    proof.by === 'federation' ? await proof.token() : signedAssertion(clientId, proof.pem, audience, now);
  return { client_assertion_type: assertionType, client_assertion: assertion };
}

async function requested(
  url: string,
  form: Record<string, string>,
  { outbound, clock }: TokenDeps,
  signal: AbortSignal,
): Promise<AccessToken> {
  const request = {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    maxBytes: 1024 * 1024,
    signal,
  };
  for (let attempt = 1; ; attempt++) {
    const reply = await outbound.fetch(request).catch((error: unknown) => {
      if (!(error instanceof OutboundError) || error.isFinal || attempt >= attempts) throw error;
    });
    if (!reply) continue;
    const { access_token, expires_in, error, error_description } = membersOf(reply.body);
    if (reply.status === 200 && typeof access_token === 'string')
      return { value: access_token, expiresAt: clock.now() + (Number(expires_in) || 3_600) * 1_000 };
    if (reply.status >= 500 && attempt < attempts) continue;
    const reason = `Azure issued no token to application ${form.client_id}: ${reply.status} ${error ?? ''}: ${error_description ?? ''}`;
    throw new CollectError({
      status: reply.status >= 400 && reply.status < 500 && reply.status !== 429 ? 'denied' : 'failed',
      reason: boundedReason(withoutSecrets(reason, form)),
      permission: 'a valid secret, certificate or federated credential of the application',
    });
  }
}

function withoutSecrets(text: string, { client_secret, client_assertion }: Record<string, string>): string {
  let clean = text;
  for (const secret of [client_secret, client_assertion]) if (secret) clean = clean.replaceAll(secret, '***');
  return clean;
}

function membersOf(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

/** A JWT signed by the certificate, which names it by its thumbprint. */
function signedAssertion(clientId: string, pem: string, audience: string, now: number): string {
  const seconds = Math.floor(now / 1_000);
  try {
    const certificate = new X509Certificate(pem);
    const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url');
    const header = { alg: 'RS256', typ: 'JWT', 'x5t#S256': thumbprint };
    const claims = {
      ...{ aud: audience, iss: clientId, sub: clientId, jti: randomUUID() },
      ...{ nbf: seconds, exp: seconds + assertionLifetime },
    };
    const signed = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('RSA-SHA256', Buffer.from(signed), createPrivateKey(pem)).toString('base64url');
    return `${signed}.${signature}`;
  } catch (error) {
    throw new CollectError(
      {
        status: 'denied',
        reason:
          'The certificate of the application is not a PEM file with a certificate and its RSA private key.',
      },
      error,
    );
  }
}

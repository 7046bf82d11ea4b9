import { readFile } from 'node:fs/promises';
import type { Outbound } from '../../outbound/outbound.ts';
import { CollectError } from '../inventory/problem.ts';
import type { AzureCredential } from './access-token.ts';
import { type AzureApplication, applicationCredential, type TokenDeps } from './application.ts';
import { azLoginCredential } from './az-login.ts';
import { managedIdentityCredential } from './managed-identity.ts';

export interface LocalCredentialDeps extends TokenDeps {
  readonly environment: NodeJS.ProcessEnv;
  /** Client for the metadata service, whose addresses the guarded client refuses. */
  readonly metadata: Outbound;
  /** Of the user who signed in with az; any tenant by default. */
  readonly tenant?: string | undefined;
}

/**
 * The credential that the user's own tools would use: the application of the environment, the identity of an app, the
 * user who signed in with az, or the identity of the host. The first that has a token is kept.
 */
export function localCredential(deps: LocalCredentialDeps): AzureCredential {
  const { environment, clock, metadata, tenant } = deps;
  let chosen: AzureCredential | undefined;
  return async (audience, signal) => {
    if (chosen) return chosen(audience, signal);
    const application = await applicationIn(environment);
    const identity = managedIdentityCredential(environment, metadata, clock);
    const az = azLoginCredential(environment, clock, tenant);
    const candidates = application
      ? [applicationCredential(application, deps)]
      : environment.IDENTITY_ENDPOINT
        ? [identity]
        : [az, identity];
    const reasons: string[] = [];
    for (const candidate of candidates) {
      try {
        const token = await candidate(audience, signal);
        chosen = candidate;
        return token;
      } catch (error) {
        signal.throwIfAborted();
        if (candidates.length === 1) throw error;
        reasons.push((error as Error).message);
      }
    }
    throw new CollectError({
      status: 'denied',
      reason:
        `Found no Azure credentials. ${reasons.join(' ')} ` +
        'Sign in with az login, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET.',
    });
  };
}

/** The application that the environment names, in the variables of the official libraries. */
export async function applicationIn(environment: NodeJS.ProcessEnv): Promise<AzureApplication | undefined> {
  const { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId } = environment;
  if (!tenantId || !clientId) return undefined;
  const {
    AZURE_CLIENT_SECRET: secret,
    AZURE_CLIENT_CERTIFICATE_PATH: certificate,
    AZURE_FEDERATED_TOKEN_FILE: tokenFile,
  } = environment;
  if (secret) return { tenantId, clientId, proof: { by: 'secret', secret } };
  if (certificate) {
    const pem = await read(certificate, 'AZURE_CLIENT_CERTIFICATE_PATH');
    return { tenantId, clientId, proof: { by: 'certificate', pem } };
  }
  if (!tokenFile) return undefined;
  const token = async () => (await read(tokenFile, 'AZURE_FEDERATED_TOKEN_FILE')).trim();
  return { tenantId, clientId, proof: { by: 'federation', token } };
}

async function read(file: string, variable: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CollectError(
      { status: 'denied', reason: `${variable} names a file that can not be read.` },
      error,
    );
  }
}

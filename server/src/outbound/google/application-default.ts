import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { ExpiringCache } from '../expiring-cache.ts';
import { type Outbound, OutboundError } from '../outbound.ts';
import { type GoogleCredentials, serviceAccountCredentials } from './credentials.ts';
import { type ExternalAccountFile, exchangedToken } from './external-account.ts';
import { impersonatedToken } from './impersonation.ts';
import { metadataToken } from './metadata-server.ts';
import { GoogleTokens } from './service-account.ts';
import { type ExpiringToken, postForm, tokenEndpoint, tokenIn } from './token-endpoint.ts';

export interface ApplicationDefaultDeps {
  readonly environment: NodeJS.ProcessEnv;
  /** The user's home directory. */
  readonly home: string;
  readonly outbound: Outbound;
  /** Client for the metadata server, whose address the guarded client refuses. */
  readonly metadata: Outbound;
  readonly clock: Clock;
}

/** A credential file, as `gcloud auth application-default login` and the console write it. */
export interface CredentialFile extends ExternalAccountFile {
  readonly type?: unknown;
  readonly project_id?: unknown;
  readonly quota_project_id?: unknown;
  readonly client_email?: unknown;
  readonly private_key_id?: unknown;
  readonly private_key?: unknown;
  readonly client_id?: unknown;
  readonly client_secret?: unknown;
  readonly refresh_token?: unknown;
  readonly source_credentials?: unknown;
}

const margin = 300_000;

/** The credentials that the user's own tools use, and the project that they belong to. */
export interface ApplicationDefault {
  readonly credentials: GoogleCredentials;
  readonly project: string | undefined;
  /** For people: where they were found. */
  readonly origin: string;
}

/** Looks where Google's tools look, in the same order. */
export async function applicationDefault(deps: ApplicationDefaultDeps): Promise<ApplicationDefault> {
  const { environment } = deps;
  const quotaProject = environment.GOOGLE_CLOUD_QUOTA_PROJECT || undefined;
  const { GOOGLE_OAUTH_ACCESS_TOKEN: given, GOOGLE_APPLICATION_CREDENTIALS: named } = environment;
  if (given) {
    const credentials = { token: async () => given, forget: () => {}, quotaProject };
    return { credentials, project: undefined, origin: 'GOOGLE_OAUTH_ACCESS_TOKEN' };
  }
  const path = named || join(gcloudDirectory(deps), 'application_default_credentials.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    // The file that a variable names must be there; the one of gcloud need not.
    if (named)
      throw new OutboundError(`GOOGLE_APPLICATION_CREDENTIALS: ${path} can not be read.`, final(error));
    return undefined;
  });
  if (text === undefined) {
    const credentials = cached(deps.clock, () => metadataToken(deps), quotaProject);
    return { credentials, project: undefined, origin: 'the metadata server' };
  }
  const file = parsed(text, path);
  const quota = quotaProject ?? stringIn(file.quota_project_id);
  return {
    credentials: await credentialsIn(file, path, quota, deps),
    project: stringIn(file.project_id),
    origin: path,
  };
}

/** Where gcloud keeps its settings. */
export function gcloudDirectory({
  environment,
  home,
}: Pick<ApplicationDefaultDeps, 'environment' | 'home'>): string {
  if (environment.CLOUDSDK_CONFIG) return environment.CLOUDSDK_CONFIG;
  return environment.APPDATA ? join(environment.APPDATA, 'gcloud') : join(home, '.config', 'gcloud');
}

async function credentialsIn(
  file: CredentialFile,
  path: string,
  quotaProject: string | undefined,
  deps: ApplicationDefaultDeps,
): Promise<GoogleCredentials> {
  const { outbound, clock } = deps;
  const { type } = file;
  if (type === 'service_account') {
    const account = {
      clientEmail: required(file, 'client_email', path),
      privateKeyId: stringIn(file.private_key_id),
      privateKey: required(file, 'private_key', path),
    };
    return serviceAccountCredentials(new GoogleTokens(outbound, clock), account, quotaProject);
  }
  if (type === 'authorized_user') {
    const form = {
      grant_type: 'refresh_token',
      client_id: required(file, 'client_id', path),
      client_secret: required(file, 'client_secret', path),
      refresh_token: required(file, 'refresh_token', path),
    };
    return cached(clock, () => refreshedToken(form, deps), quotaProject);
  }
  if (type === 'impersonated_service_account') {
    const source = await credentialsIn(Object(file.source_credentials), path, undefined, deps);
    const url = required(file, 'service_account_impersonation_url', path);
    return cached(clock, async () => impersonatedToken(url, await source.token(), deps), quotaProject);
  }
  if (type === 'external_account') {
    const exchange = () => exchangedToken(file, path, deps);
    const url = stringIn(file.service_account_impersonation_url);
    if (!url) return cached(clock, exchange, quotaProject);
    return cached(clock, async () => impersonatedToken(url, (await exchange()).value, deps), quotaProject);
  }
  throw new OutboundError(
    `${path}: type ${JSON.stringify(type)} is not supported: use service_account, authorized_user, impersonated_service_account or external_account.`,
    { isFinal: true },
  );
}

async function refreshedToken(
  form: Readonly<Record<string, string>>,
  { outbound, clock }: ApplicationDefaultDeps,
): Promise<ExpiringToken> {
  const reply = await postForm(outbound, tokenEndpoint, form);
  return tokenIn(reply, clock.now(), Object.values(form), 'the user');
}

function cached(
  clock: Clock,
  obtain: () => Promise<ExpiringToken>,
  quotaProject: string | undefined,
): GoogleCredentials {
  const cache = new ExpiringCache<string>(clock, margin);
  return { token: () => cache.get('', obtain), forget: () => cache.forget(''), quotaProject };
}

function parsed(text: string, path: string): CredentialFile {
  try {
    return Object(JSON.parse(text)) as CredentialFile;
  } catch (error) {
    throw new OutboundError(`${path} is not valid JSON: create it again.`, final(error));
  }
}

function required(file: CredentialFile, member: keyof CredentialFile, path: string): string {
  const value = stringIn(file[member]);
  if (value) return value;
  throw new OutboundError(`${path} has no ${member}: create it again.`, { isFinal: true });
}

function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function final(cause: unknown) {
  return { isFinal: true, cause };
}

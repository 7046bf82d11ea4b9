import { readFile } from 'node:fs/promises';
import type { Clock } from '../../platform/clock.ts';
import { type Outbound, OutboundError } from '../outbound.ts';
import { cloudPlatformScope } from './credentials.ts';
import { googleAddress } from './google-address.ts';
import { type ExpiringToken, membersOf, postForm, tokenIn } from './token-endpoint.ts';

/** The members of a credential file for workload identity federation. */
export interface ExternalAccountFile {
  readonly audience?: unknown;
  readonly subject_token_type?: unknown;
  readonly token_url?: unknown;
  readonly credential_source?: unknown;
  readonly service_account_impersonation_url?: unknown;
}

interface CredentialSource {
  readonly file?: unknown;
  readonly url?: unknown;
  readonly headers?: unknown;
  readonly format?: unknown;
}

export interface ExternalAccountDeps {
  readonly outbound: Outbound;
  /** Local token services are at private addresses. */
  readonly metadata: Outbound;
  readonly clock: Clock;
}

/** A token for a workload of another provider, whose own token is in a file or at an address. */
export async function exchangedToken(
  account: ExternalAccountFile,
  path: string,
  deps: ExternalAccountDeps,
): Promise<ExpiringToken> {
  const subject = await subjectToken(Object(account.credential_source), path, deps);
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: String(account.audience),
    subject_token_type: String(account.subject_token_type),
    subject_token: subject,
    scope: cloudPlatformScope,
  };
  const url = googleAddress(String(account.token_url), 'token_url');
  return tokenIn(await postForm(deps.outbound, url, form), deps.clock.now(), [subject], 'the workload');
}

async function subjectToken(
  source: CredentialSource,
  path: string,
  { metadata }: ExternalAccountDeps,
): Promise<string> {
  const { file, url, headers, format } = source;
  if (typeof file === 'string') return tokenOf(await textOf(file, path), format);
  if (typeof url === 'string' && !('environment_id' in source)) {
    const reply = await metadata.request({ method: 'GET', url, headers: Object(headers) });
    if (reply.status === 200) return tokenOf(reply.text, format);
    throw new OutboundError(`${path}: credential_source.url answered ${reply.status}.`);
  }
  throw new OutboundError(
    `${path}: credential_source must have a file or a url; AWS and executable sources are not supported.`,
    { isFinal: true },
  );
}

async function textOf(file: string, path: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new OutboundError(`${path}: credential_source.file ${file} can not be read.`, {
      isFinal: true,
      cause,
    });
  }
}

function tokenOf(text: string, format: unknown): string {
  const { type, subject_token_field_name: name } = Object(format) as Record<string, unknown>;
  if (type !== 'json') return text.trim();
  const token = membersOf(text)[String(name)];
  if (typeof token === 'string') return token;
  throw new OutboundError(`credential_source has no token in the member ${String(name)}.`, { isFinal: true });
}

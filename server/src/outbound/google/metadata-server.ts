import type { Clock } from '../../platform/clock.ts';
import { type Outbound, OutboundError } from '../outbound.ts';
import { type ExpiringToken, tokenIn } from './token-endpoint.ts';

export interface MetadataServerDeps {
  readonly environment: NodeJS.ProcessEnv;
  readonly metadata: Outbound;
  readonly clock: Clock;
}

/** It answers at once, or there is none. */
const timeout = 2_000;
const headers = { 'metadata-flavor': 'Google' };

/** A token of the service account of the instance, pod or function that this runs in. */
export async function metadataToken(deps: MetadataServerDeps): Promise<ExpiringToken> {
  const reply = await request('instance/service-accounts/default/token', deps);
  return tokenIn(reply, deps.clock.now(), [], 'this host');
}

/** The project that this runs in; undefined outside of Google Cloud. */
export async function metadataProject(deps: MetadataServerDeps): Promise<string | undefined> {
  const reply = await request('project/project-id', deps).catch(() => undefined);
  return reply?.status === 200 ? reply.text.trim() : undefined;
}

async function request(path: string, { environment, metadata }: MetadataServerDeps) {
  const missing = new OutboundError(
    'No Google Cloud credentials were found: run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS.',
    { isFinal: true },
  );
  if (environment.NO_GCE_CHECK === 'true') throw missing;
  const host = environment.GCE_METADATA_HOST || 'metadata.google.internal';
  const url = `http://${host}/computeMetadata/v1/${path}`;
  return metadata.request({ method: 'GET', url, headers, timeout }).catch(() => {
    throw missing;
  });
}

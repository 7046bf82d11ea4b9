import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ApplicationDefaultDeps,
  applicationDefault,
  gcloudDirectory,
} from '../../outbound/google/application-default.ts';
import type { GoogleCredentials } from '../../outbound/google/credentials.ts';
import { metadataProject } from '../../outbound/google/metadata-server.ts';
import { type Outbound, OutboundError } from '../../outbound/outbound.ts';
import { quoted } from '../../platform/quoted.ts';
import type { CollectDeps, Discovery } from '../inventory/cloud.ts';
import { CollectError, type Problem } from '../inventory/problem.ts';
import { GoogleApi } from './google-api.ts';
import { gcpTarget, isParent } from './targets.ts';
import { TokenOutbound } from './token-outbound.ts';

export interface LocalGcpOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** `projects/<id>`, `folders/<number>` or `organizations/<number>`; the project of the user's tools by default. */
  readonly parents?: readonly string[];
  /** All organizations that the credentials may see, instead of a project. */
  readonly isOrganization?: boolean;
  /** Client for the metadata server, if the outbound client of the collection refuses private addresses. */
  readonly metadata?: Outbound;
}

const resourceManager = 'https://cloudresourcemanager.googleapis.com';
/** Whoever sees more names those that are wanted. */
const maxFound = 500;

/** What the credentials of the user's own tools lead to. */
export async function localGcpTargets(
  options: LocalGcpOptions,
  deps: CollectDeps,
  signal: AbortSignal,
): Promise<Discovery> {
  const { environment, home, parents = [] } = options;
  const wrong = parents.find((parent) => !isParent(parent));
  if (wrong !== undefined)
    return withProblem(
      'failed',
      `${quoted(wrong)} must be projects/<id>, folders/<number> or organizations/<number>.`,
    );
  try {
    const outbound = new TokenOutbound(deps);
    const { metadata = outbound } = options;
    const found = await applicationDefault({ environment, home, outbound, metadata, clock: deps.clock });
    // Fails here rather than in every reading.
    await found.credentials.token();
    const local = { ...options, outbound, metadata, clock: deps.clock };
    const names = parents.length > 0 ? parents : await defaultParents(local, found, deps, signal);
    const endpoint = environment.CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDASSET?.replace(/\/+$/, '') || undefined;
    return {
      targets: names.map((name) => gcpTarget(name, found.credentials, deps, endpoint)),
      problems: names.length > 0 ? [] : [nothingFound(found.origin)],
    };
  } catch (error) {
    if (error instanceof CollectError) return { targets: [], problems: [error] };
    if (error instanceof OutboundError) return withProblem('denied', error.message);
    throw error;
  }
}

async function defaultParents(
  options: LocalGcpOptions & ApplicationDefaultDeps,
  { credentials, project }: { credentials: GoogleCredentials; project: string | undefined },
  deps: CollectDeps,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const api = new GoogleApi(credentials, deps);
  if (options.isOrganization) return search(api, 'organizations', signal);
  const { GOOGLE_CLOUD_PROJECT, GCLOUD_PROJECT, CLOUDSDK_CORE_PROJECT } = options.environment;
  const own =
    GOOGLE_CLOUD_PROJECT ||
    GCLOUD_PROJECT ||
    CLOUDSDK_CORE_PROJECT ||
    project ||
    (await gcloudProject(options)) ||
    (await metadataProject(options));
  return own ? [`projects/${own}`] : search(api, 'projects', signal);
}

/** The project of gcloud's active configuration. */
async function gcloudProject(options: LocalGcpOptions): Promise<string | undefined> {
  const directory = gcloudDirectory(options);
  const read = (name: string) => readFile(join(directory, name), 'utf8').catch(() => '');
  const active = options.environment.CLOUDSDK_ACTIVE_CONFIG_NAME || (await read('active_config')).trim();
  const settings = await read(join('configurations', `config_${active || 'default'}`));
  const core = /^\[core\]$([^[]*)/m.exec(settings)?.[1] ?? '';
  return /^\s*project\s*=\s*(\S+)\s*$/m.exec(core)?.[1];
}

/** What the credentials may see, by the names that the API gives them. */
async function search(
  api: GoogleApi,
  collection: 'organizations' | 'projects',
  signal: AbortSignal,
): Promise<string[]> {
  const call = {
    what: `${collection}.search`,
    permission: `resourcemanager.${collection}.get`,
    api: 'cloudresourcemanager',
  };
  const names: string[] = [];
  for (let token = ''; names.length < maxFound; ) {
    const query = new URLSearchParams({ pageSize: '200', ...(token && { pageToken: token }) });
    const page = await api.get(
      { ...call, url: `${resourceManager}/v3/${collection}:search?${query}` },
      signal,
    );
    const found = Array.isArray(page[collection]) ? (page[collection] as unknown[]) : [];
    for (const each of found) names.push(...nameOf(Object(each)));
    const next = page.nextPageToken;
    if (typeof next !== 'string' || next === '' || next === token || found.length === 0) break;
    token = next;
  }
  return names.slice(0, maxFound);
}

/** Projects that are being deleted can not be listed. */
function nameOf({ name, projectId, state }: Record<string, unknown>): string[] {
  if (state !== undefined && state !== 'ACTIVE') return [];
  const own = typeof projectId === 'string' ? `projects/${projectId}` : String(name);
  return isParent(own) ? [own] : [];
}

function nothingFound(origin: string): Problem {
  return {
    status: 'denied',
    reason: `The credentials of ${origin} see no project: set GOOGLE_CLOUD_PROJECT, or grant them roles/cloudasset.viewer.`,
    permission: 'resourcemanager.projects.get',
  };
}

function withProblem(status: Problem['status'], reason: string): Discovery {
  return { targets: [], problems: [{ status, reason }] };
}

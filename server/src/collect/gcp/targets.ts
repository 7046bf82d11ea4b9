import { type GoogleCredentials, serviceAccountCredentials } from '../../outbound/google/credentials.ts';
import { GoogleTokens } from '../../outbound/google/service-account.ts';
import { quoted } from '../../platform/quoted.ts';
import type { CloudTarget, CollectDeps, Discovery } from '../inventory/cloud.ts';
import { CollectError } from '../inventory/problem.ts';
import { AssetClient } from './asset-client.ts';
import { loadAssetKinds } from './asset-kinds.ts';
import { assetReadings, readHierarchy } from './asset-readings.ts';
import { GoogleApi } from './google-api.ts';
import { TokenOutbound } from './token-outbound.ts';

/** `data` of an integration of type GcpCfg, with its secrets. */
export interface GcpCfgData {
  readonly credentials: {
    readonly clientEmail: string;
    readonly privateKeyId?: string | undefined;
    readonly privateKey?: string | undefined;
  };
  readonly idType: string;
  readonly id: string;
}

/** The project or organization of an integration. */
export async function gcpTargets(data: GcpCfgData, deps: CollectDeps): Promise<Discovery> {
  const tokens = new GoogleTokens(new TokenOutbound(deps), deps.clock);
  const credentials = serviceAccountCredentials(tokens, data.credentials);
  const collection = data.idType.toUpperCase() === 'ORGANIZATION' ? 'organizations' : 'projects';
  const parent = `${collection}/${data.id}`;
  if (isParent(parent)) return { targets: [gcpTarget(parent, credentials, deps)], problems: [] };
  const expected = collection === 'projects' ? 'the id of a project' : 'the number of an organization';
  const reason = `data.id has an invalid value: ${quoted(data.id)}. It must be ${expected}.`;
  return { targets: [], problems: [{ status: 'failed', reason }] };
}

const nouns: Readonly<Record<string, string>> = {
  projects: 'project',
  folders: 'folder',
  organizations: 'organization',
};

/** A project, folder or organization, by the name that the API gives it: `folders/1234`. */
export function gcpTarget(
  parent: string,
  credentials: GoogleCredentials,
  deps: CollectDeps,
  endpoint?: string,
): CloudTarget {
  const [collection = '', id = ''] = parent.split('/');
  return {
    cloud: 'gcp',
    cloudAccount: parent,
    title: `Google Cloud ${nouns[collection]} ${id}`,
    async readings(signal) {
      const client = new AssetClient(new GoogleApi(credentials, deps), endpoint);
      const kinds = await loadAssetKinds();
      const hierarchy = await readHierarchy(client, parent, signal).catch((error: unknown) => {
        if (error instanceof CollectError) return error;
        throw error;
      });
      return assetReadings({ client, parent, kinds, hierarchy });
    },
  };
}

/** Whether it names something that can be listed. */
export function isParent(name: string): boolean {
  return /^(?:projects\/[a-z0-9.:-]+|(?:folders|organizations)\/\d{1,19})$/.test(name);
}

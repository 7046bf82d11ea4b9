import { AssetClient } from '@vedette/server/collect/gcp/asset-client';
import { loadAssetKinds } from '@vedette/server/collect/gcp/asset-kinds';
import { assetReadings, readHierarchy } from '@vedette/server/collect/gcp/asset-readings';
import { GoogleApi, type GoogleCall, GoogleError } from '@vedette/server/collect/gcp/google-api';
import { CollectError } from '@vedette/server/collect/inventory/problem';
import type { Reading } from '@vedette/server/collect/inventory/reading';
import type { CloudObject } from '@vedette/server/simulate/clouds/cloud-object';
import { type Denial, nothingDenied } from './permission.ts';

interface SimulatedAsset {
  readonly assetType: string;
  readonly resource?: unknown;
  readonly iamPolicy?: unknown;
}

/** Answers like Cloud Asset Inventory, in one page: nothing is sent. */
class SimulatedGoogleApi extends GoogleApi {
  readonly #assets: readonly SimulatedAsset[];
  readonly #denied: Denial;

  constructor(objects: readonly CloudObject[], denied: Denial) {
    super(...([{}, {}] as unknown as ConstructorParameters<typeof GoogleApi>));
    this.#assets = objects.map(({ value }) => value as SimulatedAsset);
    this.#denied = denied;
  }

  override async get(call: GoogleCall): Promise<Readonly<Record<string, unknown>>> {
    const { searchParams } = new URL(call.url);
    if (this.#denied(call.permission)) {
      const message = `The caller does not have permission ${call.permission}.`;
      const reply = { status: 403, code: 'PERMISSION_DENIED', reason: '', metadata: {}, message };
      throw new GoogleError(reply, call);
    }
    const content = searchParams.get('contentType') === 'RESOURCE' ? 'resource' : 'iamPolicy';
    const types = new Set(searchParams.getAll('assetTypes'));
    const listed = this.#assets.filter(
      (asset) => asset[content] !== undefined && (types.size === 0 || types.has(asset.assetType)),
    );
    return {
      assets: listed.map(({ resource, iamPolicy, ...rest }) => ({
        ...rest,
        ...(content === 'resource' ? { resource } : { iamPolicy }),
      })),
    };
  }
}

/** Types that are found empty. Hundreds of others would be, too. */
const emptyTypes = ['apikeys.googleapis.com/Key', 'compute.googleapis.com/NetworkEndpointGroup'];

/** The readings of the collector, of the services that the simulated organization uses. */
export async function simulatedGcpReadings(
  objects: readonly CloudObject[],
  parent: string,
  denied = nothingDenied,
): Promise<Reading[]> {
  const client = new AssetClient(new SimulatedGoogleApi(objects, denied));
  const types = new Set([...emptyTypes, ...objects.map(({ api }) => api)]);
  const kinds = new Map([...(await loadAssetKinds())].filter(([type]) => types.has(type)));
  const hierarchy = await readHierarchy(client, parent, new AbortController().signal).catch(
    (error: unknown) => {
      if (error instanceof CollectError) return error;
      throw error;
    },
  );
  return assetReadings({ client, parent, kinds, hierarchy });
}

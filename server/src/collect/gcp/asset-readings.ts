import { CollectError } from '../inventory/problem.ts';
import type { Reading, ReadingOutput } from '../inventory/reading.ts';
import { assetIn } from './asset.ts';
import { type AssetClient, type ContentType, UnknownAssetTypesError } from './asset-client.ts';
import { type AssetKind, inGroup } from './asset-kinds.ts';
import { AssetOutput, datasourcesOf } from './asset-output.ts';
import { globalRegion } from './asset-resource.ts';
import { Hierarchy, hierarchyTypes } from './hierarchy.ts';
import { type AssetGroup, assetGroups } from './service.ts';

/** At a fifth of the documented rate, all readings together list 1,200,000 assets an hour. */
const timeout = 3 * 3_600_000;

type AssetKinds = ReadonlyMap<string, AssetKind>;

/** What the readings of a project, folder or organization share. */
export interface AssetReadingDeps {
  readonly client: AssetClient;
  readonly parent: string;
  readonly kinds: AssetKinds;
  /** A problem if it could not be read: what is listed without it would change its facts. */
  readonly hierarchy: Hierarchy | CollectError;
}

/** Resources group by group; IAM policies all at once, because few assets have one and not every type may be asked for. */
export function assetReadings(deps: AssetReadingDeps): Reading[] {
  const groups = Object.keys(assetGroups) as AssetGroup[];
  const policyKinds = [...deps.kinds.values()];
  return [
    ...groups.map((group) =>
      assetReading(deps, {
        ...{ name: group, service: assetGroups[group], contentType: 'RESOURCE' },
        kinds: inGroup(deps.kinds, group),
      }),
    ),
    assetReading(deps, {
      ...{ name: 'all', service: 'IAM policies', contentType: 'IAM_POLICY', kinds: policyKinds },
    }),
  ];
}

/** The ids and names of everything below the parent. */
export async function readHierarchy(
  client: AssetClient,
  parent: string,
  signal: AbortSignal,
): Promise<Hierarchy> {
  const hierarchy = new Hierarchy();
  const listing = { parent, contentType: 'RESOURCE', assetTypes: hierarchyTypes } as const;
  for await (const page of client.pages(listing, signal))
    for (const row of page) {
      try {
        hierarchy.add(assetIn(row));
      } catch (error) {
        // The reading of its kind reports an asset in another form than documented.
        if (!(error instanceof CollectError)) throw error;
      }
    }
  return hierarchy;
}

interface Listed {
  readonly name: string;
  readonly service: string;
  readonly contentType: ContentType;
  readonly kinds: readonly AssetKind[];
}

function assetReading(deps: AssetReadingDeps, { name, service, contentType, kinds }: Listed): Reading {
  const { client, parent, hierarchy } = deps;
  return {
    id: `cloudasset/${contentType} ${name}`,
    service,
    region: globalRegion,
    kinds: [...new Set(kinds.flatMap((kind) => datasourcesOf(kind, contentType)))],
    timeout,
    async read(output, signal) {
      if (hierarchy instanceof CollectError) throw hierarchy;
      for (let declared = kinds; declared.length > 0; ) {
        const assets = new AssetOutput({ contentType, declared, hierarchy, output });
        const assetTypes = contentType === 'RESOURCE' && declared.map(({ assetType }) => assetType);
        let pages = 0;
        try {
          const listing = { parent, contentType, ...(assetTypes && { assetTypes }) };
          for await (const page of client.pages(listing, signal)) {
            pages++;
            await assets.add(page);
          }
          return;
        } catch (error) {
          // An unknown type ends a listing before its first page.
          if (!(error instanceof UnknownAssetTypesError) || pages > 0) throw error;
          declared = withoutUnknown(declared, error, output);
        }
      }
    },
  };
}

/** A kind of several types has the others' resources. */
function withoutUnknown(
  declared: readonly AssetKind[],
  { assetTypes }: UnknownAssetTypesError,
  output: ReadingOutput,
): readonly AssetKind[] {
  const known = declared.filter(({ assetType }) => !assetTypes.includes(assetType));
  for (const { kind, assetType } of declared)
    if (known.every((other) => other.kind !== kind))
      output.gap(kind, {
        status: 'not enabled',
        reason: `Cloud Asset Inventory does not list ${assetType}.`,
      });
  return known;
}

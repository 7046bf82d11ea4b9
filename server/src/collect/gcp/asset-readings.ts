import { CollectError } from '../inventory/problem.ts';
import type { Reading, ReadingOutput } from '../inventory/reading.ts';
import { assetIn, assetTypeOf } from './asset.ts';
import { type AssetClient, type ContentType, UnknownAssetTypesError } from './asset-client.ts';
import { type AssetKind, inGroup } from './asset-kinds.ts';
import { globalRegion, resourcesOf } from './asset-resource.ts';
import { Hierarchy, hierarchyTypes } from './hierarchy.ts';
import { type AssetGroup, assetGroups } from './service.ts';

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
      // The reading of its kind reports an asset in another form than documented.
      const asset = attempt(() => assetIn(row));
      if (!(asset instanceof CollectError)) hierarchy.add(asset);
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
  const isPolicies = contentType === 'IAM_POLICY';
  const datasources = kinds.flatMap(({ kind, policyKinds }) => (isPolicies ? policyKinds : [kind]));
  return {
    id: `cloudasset/${contentType} ${name}`,
    service,
    region: globalRegion,
    kinds: [...new Set(datasources)],
    async read(output, signal) {
      if (deps.hierarchy instanceof CollectError) throw deps.hierarchy;
      const context = { ...deps, hierarchy: deps.hierarchy, output, seen: sharedKinds(kinds) };
      let assetTypes = isPolicies ? undefined : kinds.map(({ assetType }) => assetType);
      // Each unknown type ends a listing before its first page.
      while (assetTypes === undefined || assetTypes.length > 0) {
        try {
          const listing = { parent: deps.parent, contentType, ...(assetTypes && { assetTypes }) };
          for await (const page of deps.client.pages(listing, signal)) await addAssets(page, context);
          return;
        } catch (error) {
          if (!(error instanceof UnknownAssetTypesError) || !assetTypes) throw error;
          assetTypes = assetTypes.filter((type) => !error.assetTypes.includes(type));
          reportUnknown(error, assetTypes, context);
        }
      }
    },
  };
}

interface AddingContext extends AssetReadingDeps {
  readonly hierarchy: Hierarchy;
  readonly output: ReadingOutput;
  /** Names of the resources of kinds that several asset types fill: one resource may be listed as both. */
  readonly seen: ReadonlyMap<string, Set<string>>;
}

function sharedKinds(kinds: readonly AssetKind[]): Map<string, Set<string>> {
  const names = kinds.flatMap(({ kind, policyKinds }) => [kind, ...policyKinds]);
  const shared = names.filter((name, index) => names.indexOf(name) !== index);
  return new Map(shared.map((name) => [name, new Set()]));
}

/** An asset that can not be stored ends its kinds only. */
async function addAssets(page: readonly unknown[], context: AddingContext): Promise<void> {
  for (const row of page) {
    const declared = context.kinds.get(assetTypeOf(row));
    if (declared) await addAsset(row, declared, context);
  }
}

async function addAsset(
  row: unknown,
  declared: AssetKind,
  { hierarchy, output, seen }: AddingContext,
): Promise<void> {
  const asset = attempt(() => assetIn(row));
  const found =
    asset instanceof CollectError ? asset : attempt(() => resourcesOf(asset, declared, hierarchy));
  if (found instanceof CollectError) {
    const isPolicy = Object.hasOwn(row as object, 'iamPolicy');
    for (const kind of isPolicy ? declared.policyKinds : [declared.kind]) output.gap(kind, found);
    return;
  }
  for (const { kind, resource } of found) {
    if (seen.get(kind)?.has(resource.key)) continue;
    seen.get(kind)?.add(resource.key);
    try {
      await output.add(kind, resource);
    } catch (error) {
      if (!(error instanceof CollectError)) throw error;
      output.gap(kind, error);
    }
  }
}

function attempt<Value>(make: () => Value): Value | CollectError {
  try {
    return make();
  } catch (error) {
    if (error instanceof CollectError) return error;
    throw error;
  }
}

/** A kind of several types has the others' resources. */
function reportUnknown(
  { assetTypes: unknown }: UnknownAssetTypesError,
  known: readonly string[],
  { kinds, output }: AddingContext,
): void {
  const filled = new Set(known.map((type) => kinds.get(type)?.kind));
  for (const type of unknown) {
    const kind = kinds.get(type)?.kind;
    if (kind === undefined || filled.has(kind)) continue;
    output.gap(kind, { status: 'not enabled', reason: `Cloud Asset Inventory does not list ${type}.` });
  }
}

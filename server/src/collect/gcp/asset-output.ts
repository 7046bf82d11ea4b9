import { CollectError } from '../inventory/problem.ts';
import type { ReadingOutput } from '../inventory/reading.ts';
import { assetIn, assetTypeOf } from './asset.ts';
import type { ContentType } from './asset-client.ts';
import type { AssetKind } from './asset-kinds.ts';
import { type FoundResource, resourcesOf } from './asset-resource.ts';
import type { Hierarchy } from './hierarchy.ts';

export interface AssetOutputDeps {
  readonly contentType: ContentType;
  /** The asset types that the listing was asked for. */
  readonly declared: readonly AssetKind[];
  readonly hierarchy: Hierarchy;
  readonly output: ReadingOutput;
}

/** The datasources of an asset type that a listing with the content type fills. */
export function datasourcesOf({ kind, policyKinds }: AssetKind, contentType: ContentType): readonly string[] {
  return contentType === 'IAM_POLICY' ? policyKinds : [kind];
}

/** Takes the assets of a listing. One that can not be stored ends its kinds only. */
export class AssetOutput {
  readonly #deps: AssetOutputDeps;
  readonly #declared: ReadonlyMap<string, AssetKind>;
  /** Names of the resources of kinds that several asset types fill: one resource may be listed as both. */
  readonly #seen: ReadonlyMap<string, Set<string>>;

  constructor(deps: AssetOutputDeps) {
    const { declared, contentType } = deps;
    this.#deps = deps;
    this.#declared = new Map(declared.map((kind) => [kind.assetType, kind]));
    const names = declared.flatMap((kind) => datasourcesOf(kind, contentType));
    const shared = names.filter((name, index) => names.indexOf(name) !== index);
    this.#seen = new Map(shared.map((name) => [name, new Set()]));
  }

  async add(page: readonly unknown[]): Promise<void> {
    for (const row of page) {
      // The API reads asset types as regular expressions and may return more.
      const declared = this.#declared.get(assetTypeOf(row));
      if (declared) await this.#addAsset(row, declared);
    }
  }

  async #addAsset(row: unknown, declared: AssetKind): Promise<void> {
    const { contentType, hierarchy, output } = this.#deps;
    const datasources = datasourcesOf(declared, contentType);
    try {
      const asset = assetIn(row);
      const found = resourcesOf(asset, declared, hierarchy).filter(({ kind }) => datasources.includes(kind));
      for (const resource of found) await this.#addResource(resource);
      // It exists, so that it must not be taken for deleted. A policy is optional.
      if (contentType === 'RESOURCE' && found.length === 0)
        await output.unread(declared.kind, asset.name, {
          status: 'failed',
          reason: `Cloud Asset Inventory: ${asset.name.slice(0, 200)} was listed without its resource.`,
        });
    } catch (error) {
      if (!(error instanceof CollectError)) throw error;
      for (const kind of datasources) output.gap(kind, error);
    }
  }

  async #addResource({ kind, resource }: FoundResource): Promise<void> {
    const seen = this.#seen.get(kind);
    if (seen?.has(resource.key)) return;
    seen?.add(resource.key);
    await this.#deps.output.add(kind, resource);
  }
}

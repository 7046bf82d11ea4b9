import { CollectError } from '../inventory/problem.ts';
import { type Asset, assetIn } from './asset.ts';
import { type AssetKind, loadAssetKinds } from './asset-kinds.ts';
import { type FoundResource, resourcesOf } from './asset-resource.ts';
import { Hierarchy } from './hierarchy.ts';

type Lines = () => Iterable<string> | AsyncIterable<string>;

/** Characters of a line: a resource and what surrounds it. */
const maxLine = 16 * 1024 * 1024;
const maxType = 200;

/**
 * What an export of Cloud Asset Inventory holds (newline-delimited JSON), as a collection would have found it. Kinds
 * that do not occur are unknown, not empty: the file does not say what was asked for.
 */
export class AssetImport {
  /** The closest project, folder or organization that all assets are in: the `cloudAccount` of a collection. */
  readonly parent: string;
  readonly #lines: Lines;
  readonly #kinds: ReadonlyMap<string, AssetKind>;
  readonly #hierarchy: Hierarchy;
  #ignored: Record<string, number> = {};

  private constructor(
    lines: Lines,
    kinds: ReadonlyMap<string, AssetKind>,
    { hierarchy, parent }: { readonly hierarchy: Hierarchy; readonly parent: string },
  ) {
    this.#lines = lines;
    this.#kinds = kinds;
    this.#hierarchy = hierarchy;
    this.parent = parent;
  }

  /** Reads the lines once for the projects, and again for each call of `resources`. */
  static async open(lines: Lines): Promise<AssetImport> {
    const hierarchy = new Hierarchy();
    let shared: readonly string[] | undefined;
    for await (const asset of assetsIn(lines)) {
      hierarchy.add(asset);
      if (asset.ancestors.length > 0)
        shared = shared?.filter((ancestor) => asset.ancestors.includes(ancestor)) ?? asset.ancestors;
    }
    const parent = parentIn(shared ?? [], hierarchy);
    return new AssetImport(lines, await loadAssetKinds(), { hierarchy, parent });
  }

  async *resources(): AsyncGenerator<FoundResource> {
    this.#ignored = Object.create(null);
    for await (const asset of assetsIn(this.#lines)) {
      const declared = this.#kinds.get(asset.assetType);
      if (declared) yield* resourcesOf(asset, declared, this.#hierarchy);
      else this.#ignore(asset.assetType.slice(0, maxType));
    }
  }

  /** Assets of types that are not collected, by type, after `resources` was read. */
  get ignored(): Readonly<Record<string, number>> {
    return { ...this.#ignored };
  }

  #ignore(type: string): void {
    this.#ignored[type] = (this.#ignored[type] ?? 0) + 1;
  }
}

async function* assetsIn(lines: Lines): AsyncGenerator<Asset> {
  let number = 0;
  for await (const line of lines()) {
    number++;
    if (line.trim() === '') continue;
    yield assetAt(line, number);
  }
}

function assetAt(line: string, number: number): Asset {
  if (line.length > maxLine) throw failed(`Line ${number} has more than ${maxLine} characters.`);
  try {
    return assetIn(JSON.parse(line));
  } catch (error) {
    const reason = error instanceof CollectError ? error.reason : 'It is not valid JSON.';
    throw failed(`Line ${number} is not an asset of an export: ${reason}`);
  }
}

/** A collection is asked for a project by its id. */
function parentIn([closest]: readonly string[], hierarchy: Hierarchy): string {
  if (closest === undefined)
    throw failed(
      'The assets have no project, folder or organization in common: import one export at a time.',
    );
  const [collection, number = ''] = closest.split('/');
  return collection === 'projects' ? `projects/${hierarchy.projectId(number) ?? number}` : closest;
}

function failed(reason: string): CollectError {
  return new CollectError({ status: 'failed', reason });
}

import { readdir } from 'node:fs/promises';
import type { RedactionRule } from './redaction.ts';
import type { AssetGroup, GcpService } from './service.ts';

/** An asset type with everything that its declaration and its service's lead to. */
export interface AssetKind {
  /** `compute.googleapis.com/Instance`. */
  readonly assetType: string;
  readonly service: GcpService;
  /** The datasource of its resources. */
  readonly kind: string;
  /** The datasources of its IAM policies. */
  readonly policyKinds: readonly string[];
  readonly labels: string;
  readonly redact: readonly RedactionRule[];
}

const folder = new URL('./services/', import.meta.url);

/** All declarations, by asset type. Loaded when a collection runs. */
export async function loadAssetKinds(): Promise<ReadonlyMap<string, AssetKind>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
  const kinds = modules.flatMap((module: { default: GcpService }) => assetKindsOf(module.default));
  return new Map(kinds.map((kind) => [kind.assetType, kind]));
}

export function assetKindsOf(service: GcpService): AssetKind[] {
  const { prefix, host = `${prefix}.googleapis.com`, labels = 'labels' } = service;
  return service.types.map((declared) => {
    const particulars = typeof declared === 'string' ? { type: declared } : declared;
    const { type, hasPolicy = true, policyKinds = [], redact = [] } = particulars;
    const kind = particulars.kind ?? `LW_CFG_GCP_${prefix}_${type}`.toUpperCase();
    return {
      ...{ assetType: `${host}/${type}`, service, kind, redact },
      policyKinds: [...(hasPolicy ? [`${kind}_IAMPOLICY`] : []), ...policyKinds],
      labels: particulars.labels ?? labels,
    };
  });
}

export function inGroup(kinds: ReadonlyMap<string, AssetKind>, group: AssetGroup): AssetKind[] {
  return [...kinds.values()].filter(({ service }) => service.group === group);
}

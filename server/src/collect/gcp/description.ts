import type { KindDescription } from '../inventory/cloud.ts';
import { type ContentType, contentTypes } from './asset-client.ts';
import { type AssetKind, loadAssetKinds } from './asset-kinds.ts';
import { pathOf } from './redaction.ts';

/** All kinds that are collected, one each. */
export async function describeGcp(): Promise<KindDescription[]> {
  const byKind = new Map<string, KindDescription>();
  for (const declared of (await loadAssetKinds()).values()) {
    const paths = declared.redact.map(pathOf);
    const kinds = [
      described(declared, declared.kind, 'RESOURCE', paths),
      ...declared.policyKinds.map((kind) => described(declared, kind, 'IAM_POLICY', [])),
    ];
    for (const kind of kinds) byKind.set(kind.kind, joined(byKind.get(kind.kind), kind));
  }
  return [...byKind.values()];
}

function described(
  { assetType, service }: AssetKind,
  kind: string,
  contentType: ContentType,
  redactions: readonly string[],
): KindDescription {
  return {
    ...{ kind, service: service.name, resourceType: assetType, isGlobal: true, redactions },
    call: `assets.list ${contentType}`,
    permissions: [contentTypes[contentType]],
  };
}

/** Several asset types may fill one kind. */
function joined(before: KindDescription | undefined, kind: KindDescription): KindDescription {
  if (!before) return kind;
  return {
    ...kind,
    resourceType: `${before.resourceType}, ${kind.resourceType}`,
    redactions: [...new Set([...before.redactions, ...kind.redactions])],
  };
}

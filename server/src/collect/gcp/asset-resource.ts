import { deepestJson, exceededLimit } from '../../platform/json-structure.ts';
import type { Resource } from '../../telemetry/resource.ts';
import { memberAt } from '../inventory/member.ts';
import { CollectError } from '../inventory/problem.ts';
import type { Asset } from './asset.ts';
import type { AssetKind } from './asset-kinds.ts';
import type { Hierarchy } from './hierarchy.ts';
import { type RedactionRule, withoutSecrets } from './redaction.ts';

/** RESOURCE_REGION of resources that have none, and the region of all scopes: a listing has all locations. */
export const globalRegion = 'global';

export interface FoundResource {
  readonly kind: string;
  readonly resource: Resource;
}

/** What an asset holds: a resource, an IAM policy or both, each for its datasources. */
export function resourcesOf(asset: Asset, declared: AssetKind, hierarchy: Hierarchy): FoundResource[] {
  const { name, assetType, resource, iamPolicy } = asset;
  const facts = {
    ...{ URN: name, RESOURCE_ID: name, RESOURCE_TYPE: assetType, SERVICE: declared.service.prefix },
    ...hierarchy.factsOf(asset),
  };
  const found: FoundResource[] = [];
  if (resource) {
    const { data, parent, location } = resource;
    const RESOURCE_REGION = regionOf(location) ?? globalRegion;
    found.push({
      kind: declared.kind,
      resource: {
        key: name,
        facts: {
          ...{ ...facts, API_KEY: 'resource', RESOURCE_REGION },
          ...(parent && { PARENT_RESOURCE_ID: parent }),
        },
        config: configOf(data, declared.redact, name),
        tags: tagsIn(data, declared.labels),
      },
    });
  }
  if (iamPolicy) {
    const region = regionInName(name);
    const policyFacts = { ...facts, API_KEY: 'iam-policy', ...(region && { RESOURCE_REGION: region }) };
    const config = configOf(iamPolicy, [], name);
    for (const kind of declared.policyKinds)
      found.push({ kind, resource: { key: name, facts: policyFacts, config, tags: undefined } });
  }
  return found;
}

/** A zone's region, because columns and exceptions are about regions; the zone is in the name and the configuration. */
function regionOf(location: string): string | undefined {
  const place = location.toLowerCase();
  return /^([a-z]+-[a-z]+\d+)-[a-z]$/.exec(place)?.[1] ?? (place || undefined);
}

/** IAM policies are listed without their resources' locations. */
function regionInName(name: string): string | undefined {
  const place = /\/(?:zones|regions|locations)\/([^/]+)/.exec(name)?.[1];
  return place === undefined ? undefined : regionOf(place);
}

function tagsIn(data: object, path: string): string | undefined {
  const labels = memberAt(data, path);
  return typeof labels === 'object' && labels !== null && !Array.isArray(labels)
    ? JSON.stringify(labels)
    : undefined;
}

/** The stored configuration. What is too deep for recursion is refused before it reaches the store. */
function configOf(value: unknown, rules: readonly RedactionRule[], name: string): string {
  const config = stringified(() => withoutSecrets(value, rules));
  if (
    config !== undefined &&
    !exceededLimit(config, { depth: deepestJson, values: Number.POSITIVE_INFINITY })
  )
    return config;
  throw new CollectError({
    status: 'failed',
    reason: `The configuration of ${name.slice(0, 200)} is nested more than ${deepestJson} levels deep.`,
  });
}

/** Undefined if it is so deep that the stack overflows. */
function stringified(make: () => unknown): string | undefined {
  try {
    return JSON.stringify(make());
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

import type { Resource } from '../../telemetry/resource.ts';
import { storedConfig } from './redaction.ts';
import type { AzureScope } from './scope.ts';

/** A resource as Resource Graph and the management plane return it. */
export interface AzureRow {
  readonly id: string;
  readonly type?: unknown;
  readonly location?: unknown;
  readonly resourceGroup?: unknown;
  readonly tags?: unknown;
  readonly properties?: unknown;
  readonly [name: string]: unknown;
}

/** Where a row comes from. */
export interface RowOrigin {
  /** RESOURCE_TYPE in lower case. */
  readonly type: string;
  /** API_KEY: the table or path that was read. */
  readonly call: string;
  readonly redact: readonly string[];
}

/** RESOURCE_REGION of resources that have none, and the region of every scope: Azure is asked once for all regions. */
export const globalRegion = 'global';

/** Members that are facts, or change without a change of the resource. */
const notStored = new Set([
  ...['id', 'type', 'location', 'tags', 'resourceGroup', 'subscriptionId', 'tenantId', 'apiVersion'],
  ...['etag', 'properties', '@odata.context'],
]);

export function isRow(value: unknown): value is AzureRow {
  return typeof value === 'object' && value !== null && typeof (value as AzureRow).id === 'string';
}

export function resourceOf(row: AzureRow, { type, call, redact }: RowOrigin, scope: AzureScope): Resource {
  const { id, location, tags } = row;
  return {
    // Resource ids are spelled differently by different calls.
    key: id.toLowerCase(),
    facts: {
      ...{ URN: id, RESOURCE_ID: id, RESOURCE_TYPE: type, SERVICE: namespaceOf(type), API_KEY: call },
      RESOURCE_REGION:
        typeof location === 'string' && location !== '' ? location.toLowerCase() : globalRegion,
      ...scope.facts,
      ...groupIn(id),
    },
    config: storedConfig(configOf(row), redact, id),
    tags: isObject(tags) ? JSON.stringify(tags) : undefined,
  };
}

/**
 * The members of `properties`, and beside them those that the provider keeps outside of it, such as `sku` and
 * `identity`. Where both have a member, it is the one in `properties`.
 */
function configOf(row: AzureRow): object {
  const outer = Object.entries(row).filter(
    ([name, value]) => !notStored.has(name) && value !== null && value !== '' && !isEmptyArray(value),
  );
  return { ...Object.fromEntries(outer), ...(isObject(row.properties) && row.properties) };
}

function namespaceOf(type: string): string {
  return type.slice(0, type.indexOf('/'));
}

function groupIn(id: string): { RESOURCE_GROUP?: string } {
  const [, group] = /^\/subscriptions\/[^/]+\/resourcegroups\/([^/]+)/i.exec(id) ?? [];
  return group === undefined ? {} : { RESOURCE_GROUP: group.toLowerCase() };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

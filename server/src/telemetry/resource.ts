import type { SnapshotScope } from './snapshot-scope.ts';

/**
 * The metadata of a cloud resource: columns by which queries distinguish resources of all providers. Each kind has
 * some of them.
 */
export const resourceFacts = {
  API_KEY: 'String',
  SERVICE: 'String',
  URN: 'String',
  PARENT_URN: 'String',
  RESOURCE_ID: 'String',
  RESOURCE_TYPE: 'String',
  RESOURCE_TYPE_VERSION: 'String',
  RESOURCE_REGION: 'String',
  RESOURCE_GROUP: 'String',
  PARENT_RESOURCE_ID: 'String',
  NAMESPACE: 'String',
  KEYS: 'Json',
  ACCOUNT_ID: 'String',
  ACCOUNT_ALIAS: 'String',
  ORGANIZATION_ID: 'String',
  ORGANIZATION_NAME: 'String',
  TENANT_ID: 'String',
  TENANT_NAME: 'String',
  SUBSCRIPTION_ID: 'String',
  SUBSCRIPTION_NAME: 'String',
  PROJECT_NUMBER: 'Number',
  PROJECT_ID: 'String',
  PROJECT_NAME: 'String',
  FOLDER_IDS: 'Json',
  FOLDER_NAMES: 'Json',
  CLUSTER_ID: 'String',
  CLUSTER_TYPE: 'String',
  COMPARTMENT_ID: 'String',
  COMPARTMENT_NAME: 'String',
} as const;

export type ResourceFact = keyof typeof resourceFacts;

/** All as strings: digits for a Number, JSON for Json. */
export type ResourceFacts = Readonly<Partial<Record<ResourceFact, string>>>;

export interface Resource {
  /** Identifies it within its scope while it exists: an ARN, a URN, an id. */
  readonly key: string;
  readonly facts: ResourceFacts;
  /** The provider's configuration as a JSON string. */
  readonly config: string;
  /** A JSON string; undefined if they were not collected. */
  readonly tags: string | undefined;
}

/** The state of a resource over a period. */
export interface ResourceVersion extends Omit<Resource, 'tags'>, SnapshotScope {
  readonly account: string;
  readonly tags?: string;
  /** From the first snapshot with this version to the first without; no end if it is current. */
  readonly since: number;
  readonly until?: number;
  /** The last snapshot with this version. */
  readonly seenStarted: number;
  readonly seenEnded: number;
  /** The positions at which it was opened and closed; absent in backups of earlier releases. */
  readonly opened?: number;
  readonly closed?: number;
}

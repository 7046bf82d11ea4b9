/**
 * What is known of a cloud resource besides its configuration: the columns by which queries tell resources of all
 * providers apart. Each kind of resource has some of them.
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

/** Texts; of a Number its digits, of Json its text. */
export type ResourceFacts = Readonly<Partial<Record<ResourceFact, string>>>;

export interface Resource {
  /** Tells it from the others of its kind and cloud account for as long as it exists: an ARN, a URN, an id. */
  readonly key: string;
  readonly facts: ResourceFacts;
  /** As the provider has it, as JSON text. */
  readonly config: string;
  /** As JSON text; undefined where nobody asked for them. */
  readonly tags: string | undefined;
}

/** All resources of one kind in one cloud account, as a collector found them. */
export interface ResourceSnapshot {
  readonly account: string;
  /** The kind, by the name of its datasource: `LW_CFG_AWS_EC2_INSTANCES`. */
  readonly kind: string;
  /** The AWS account, subscription, project, compartment or cluster that was asked. */
  readonly cloudAccount: string;
  /** When it was asked, and when it had answered. */
  readonly started: number;
  readonly ended: number;
  readonly resources: readonly Resource[];
}

/** What a snapshot changed. */
export interface SnapshotEffect {
  /** Resources that are new or other than before. */
  readonly opened: number;
  /** Versions that ended, because their resources changed or went away. */
  readonly closed: number;
}

/** A resource as it was for a while. */
export interface ResourceVersion extends Omit<Resource, 'tags'> {
  readonly account: string;
  readonly kind: string;
  readonly cloudAccount: string;
  readonly tags?: string;
  /** From the first snapshot that had it so to before the first that had not; without an end it is so now. */
  readonly since: number;
  readonly until?: number;
  /** The last snapshot that had it so. */
  readonly seenStarted: number;
  readonly seenEnded: number;
}

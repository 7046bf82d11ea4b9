import type { ApiRate } from '../inventory/budget.ts';

/** Tables of Azure Resource Graph. */
export type GraphTable =
  | 'resources'
  | 'resourcecontainers'
  | 'authorizationresources'
  | 'computeresources'
  | 'guestconfigurationresources'
  | 'kubernetesconfigurationresources'
  | 'policyresources'
  | 'recoveryservicesresources'
  | 'securityresources';

/** A resource type of which Resource Graph has rows. */
export interface AzureType {
  /** As the provider spells it: `Microsoft.Storage/storageAccounts`. */
  readonly type: string;
  /** The datasource, if its name does not follow from the type. */
  readonly kind?: string;
  /** `resources` by default. */
  readonly table?: GraphTable;
  /** Paths of secrets in the stored configuration, of which only the names are stored. */
  readonly redact?: readonly string[];
  /** Reads of the management plane for each resource of the type. */
  readonly children?: readonly AzureRead[];
  /** Paths below the resource whose diagnostic settings are read; an empty one is the resource itself. */
  readonly diagnostics?: readonly string[];
}

/** A GET of the management plane below a resource, a subscription or the tenant. */
export interface AzureRead {
  /** As the provider spells it: `Microsoft.Storage/storageAccounts/blobServices`. */
  readonly type: string;
  readonly kind?: string;
  /** Below the parent: `blobServices/default`. Several paths are several resources. */
  readonly path: string | readonly string[];
  readonly apiVersion: string;
  /** Whether the reply is an array of resources with further pages. */
  readonly isList?: boolean;
  /** Whether each resource of the array is read again, because the array has only some of its members. */
  readonly isSummary?: boolean;
  /** Whether an empty array is stored as a resource without configuration, because its absence is a finding. */
  readonly keepsEmpty?: boolean;
  /** Error codes which mean that there is nothing, beyond status 404. */
  readonly none?: readonly string[];
  /** Error codes which mean that the service is not enabled. */
  readonly off?: readonly string[];
  readonly redact?: readonly string[];
  /** Names of parents that have no such child: the `master` database. */
  readonly except?: readonly string[];
}

/** A GET of Microsoft Graph. */
export interface DirectoryRead {
  /** The entity type: `user` is stored as `microsoft.graph/user`. */
  readonly type: string;
  /** The datasources that it fills. */
  readonly kinds: readonly string[];
  /** Below `/v1.0/`, with its query. */
  readonly path: string;
  readonly isList?: boolean;
  /** The application permissions that it needs. */
  readonly permissions: readonly string[];
  readonly redact?: readonly string[];
  readonly rate?: ApiRate;
  /** Path of an array of related objects for each one; `{id}` is its id. They are stored in the member of that name. */
  readonly related?: { readonly member: string; readonly path: string };
  /** Members that need a licence: they are left out where the tenant has none. */
  readonly licensed?: readonly string[];
}

/** What is collected of a provider namespace. */
export interface AzureService {
  /** Shown to people: `Key Vault`. */
  readonly name: string;
  readonly namespace: string;
  /** The documented rate of its reads in one region of a subscription, if it has one of its own. */
  readonly rate?: ApiRate;
  readonly types?: readonly AzureType[];
  /** Reads below each subscription, and below the tenant. */
  readonly subscription?: readonly AzureRead[];
  readonly tenant?: readonly AzureRead[];
  readonly directory?: readonly DirectoryRead[];
}

export function defineAzureService(service: AzureService): AzureService {
  return service;
}

/** The datasource of a type: `LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS`. */
export function kindOf({ type, kind }: { readonly type: string; readonly kind?: string }): string {
  return kind ?? `LW_CFG_AZURE_${type.replace(/^microsoft\./i, '').replaceAll(/[/.]/g, '_')}`.toUpperCase();
}

/** The role action that allows reading a type. */
export function readAction({ type }: { readonly type: string }): string {
  return `${type}/read`;
}

export function pathsOf({ path }: AzureRead): readonly string[] {
  return typeof path === 'string' ? [path] : path;
}

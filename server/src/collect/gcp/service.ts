import type { RedactionRule } from './redaction.ts';

/** Asset types that are listed together: one reading each, because a listing of all of them fails as a whole. */
export const assetGroups = {
  identity: 'Projects and identity',
  compute: 'Compute and networks',
  containers: 'Containers and serverless',
  data: 'Storage and data',
  security: 'Security and operations',
  ai: 'AI and healthcare',
} as const;
export type AssetGroup = keyof typeof assetGroups;

/** An asset type of Cloud Asset Inventory, and what is particular about it. */
export interface GcpAssetType {
  /** The last part of the asset type: `Instance`. */
  readonly type: string;
  /** Its datasource, if another than `LW_CFG_GCP_<PREFIX>_<TYPE>`. */
  readonly kind?: string;
  /** Whether there is a datasource `<kind>_IAMPOLICY`; true by default. */
  readonly hasPolicy?: boolean;
  /** Further datasources of its IAM policies. */
  readonly policyKinds?: readonly string[];
  /** Path of the labels in the configuration, if another than the service's. */
  readonly labels?: string;
  readonly redact?: readonly RedactionRule[];
}

/** A service whose resources Cloud Asset Inventory lists. A string is an asset type without particulars. */
export interface GcpService {
  /** Shown to people: `Compute Engine`. */
  readonly name: string;
  /** SERVICE, and in upper case the part of the datasources' names. */
  readonly prefix: string;
  /** First part of its asset types; `<prefix>.googleapis.com` by default. */
  readonly host?: string;
  readonly group: AssetGroup;
  /** Path of the labels in the configurations; `labels` by default. */
  readonly labels?: string;
  readonly types: readonly (string | GcpAssetType)[];
}

export function defineGcpService(service: GcpService): GcpService {
  return service;
}

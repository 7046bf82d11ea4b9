/** A subscription of a tenant, or a project of an organization, of which resources are stored. */
export interface KnownCloudAccount {
  /** The tenant or organization; empty if it is not known. */
  readonly parent: string;
  readonly id: string;
  /** Empty if it has none. */
  readonly name: string;
}

/** The providers whose resources belong to such accounts. */
export type CloudAccountProvider = 'aws' | 'azure' | 'gcp' | 'k8s';

/** An AWS account, subscription, project or cluster of which resources are stored. */
export interface KnownCloudAccount {
  /** The tenant or organization; empty if it is not known. */
  readonly parent: string;
  readonly id: string;
  /** Empty if it has none. */
  readonly name: string;
}

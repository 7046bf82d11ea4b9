/** The resources that one snapshot replaces. */
export interface SnapshotScope {
  /** The name of the kind's datasource: `LW_CFG_AWS_EC2_INSTANCES`. */
  readonly kind: string;
  /** The AWS account, subscription, project, compartment or cluster. */
  readonly cloudAccount: string;
  /** The region that was asked. For kinds without regions the provider's word for that: `aws-global`. */
  readonly region: string;
}

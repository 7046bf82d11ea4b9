/** The identity of settings that an account has once. */
export const ofAccount = { id: '{$account}', arn: 'arn:{$partition}:iam::{$account}:root' } as const;

/** The identity of settings that an account has in each region. */
export const ofRegion = {
  id: '{$account}/{$region}',
  arn: 'arn:{$partition}:iam::{$account}:root',
  key: '{$account}/{$region}',
} as const;

/** `arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-1` as a template. */
export function arnOf(service: string, resource: string): string {
  return `arn:{$partition}:${service}:{$region}:{$account}:${resource}`;
}

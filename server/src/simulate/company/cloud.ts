import type { Random } from '../random.ts';

/** The company's cloud accounts and resources. */
export interface Cloud {
  readonly accountId: string;
  readonly accountAlias: string;
  readonly region: string;
  /** All regions that are enabled; hosts are in the first. */
  readonly regions: readonly string[];
  readonly zones: readonly string[];
  readonly vpcId: string;
  readonly subnetIds: readonly string[];
  readonly securityGroupId: string;
  readonly amiIds: { readonly ubuntu: string; readonly amazon: string };
  readonly trailName: string;
  readonly buckets: readonly string[];
  readonly cluster: string;
  readonly project: string;
  readonly organizationId: string;
}

export function createCloud(name: string, random: Random): Cloud {
  const region = 'eu-central-1';
  const id = (kind: string) => `${kind}-0${random.hex(16)}`;
  return {
    accountId: String(random.between(100_000_000_000, 999_999_999_999)),
    accountAlias: `${name}-production`,
    region,
    regions: [region, 'eu-west-1', 'us-east-1'],
    zones: ['a', 'b', 'c'].map((letter) => region + letter),
    vpcId: id('vpc'),
    subnetIds: [id('subnet'), id('subnet'), id('subnet')],
    securityGroupId: id('sg'),
    amiIds: { ubuntu: id('ami'), amazon: id('ami') },
    trailName: `${name}-trail`,
    buckets: ['backups', 'uploads', 'invoices', 'logs'].map((use) => `${name}-${use}`),
    cluster: `${name}-shop`,
    project: `${name}-analytics-${random.between(100_000, 999_999)}`,
    organizationId: String(random.between(100_000_000_000, 999_999_999_999)),
  };
}

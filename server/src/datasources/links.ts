import { defaultRelationship, type JoinKey, type Relationship } from '@vedette/lql/catalogue/catalogue';

type Cardinality = Relationship['cardinality'];

/** Two datasources that belong together. Each of them has a relationship from it, seen from its side. */
export interface Link {
  readonly from: string;
  readonly to: string;
  /** How many rows of `to` belong to one of `from`, and the other way round. */
  readonly cardinality: readonly [there: Cardinality, back: Cardinality];
  /** What the rows that belong together are about. */
  readonly about: string;
  readonly on: readonly (readonly [from: JoinKey, to: JoinKey])[];
}

/** A column that both sides have. */
export const same = (column: string) => [{ column }, { column }] as const;
const inConfig = (...keys: string[]): JoinKey => ({ column: 'RESOURCE_CONFIG', keys });

/** An ARN alone is not enough: it may be seen from several regions. */
export const sameAwsResource = ['ACCOUNT_ID', 'RESOURCE_REGION', 'ARN'].map(same);
const inOneRegion = ['ACCOUNT_ID', 'RESOURCE_REGION'].map(same);

const manyToOne = ['ONE', 'MANY'] as const;
const oneToMany = ['MANY', 'ONE'] as const;

/** Those that do not follow from names or columns. */
export const links: readonly Link[] = [
  {
    from: 'LW_HA_FILE_CHANGES',
    to: 'LW_HE_FILES',
    cardinality: manyToOne,
    about: 'file',
    on: ['MID', 'PATH'].map(same),
  },
  {
    from: 'LW_HE_PROCESSES',
    to: 'LW_HE_USERS',
    cardinality: manyToOne,
    about: 'user',
    on: ['MID', 'USERNAME'].map(same),
  },
  {
    from: 'LW_HE_CONTAINERS',
    to: 'LW_HE_IMAGES',
    cardinality: manyToOne,
    about: 'image',
    on: ['MID', 'IMAGE_ID'].map(same),
  },
  {
    from: 'LW_CFG_AWS_EC2_SECURITY_GROUPS',
    to: 'LW_CFG_AWS_EC2_VPCS',
    cardinality: manyToOne,
    about: 'network',
    on: [...inOneRegion, [inConfig('VpcId'), inConfig('VpcId')]],
  },
  {
    from: 'LW_CFG_AWS_EC2_VPCS',
    to: 'LW_CFG_AWS_EC2_VPC_FLOW_LOGS',
    cardinality: oneToMany,
    about: 'network',
    on: [...inOneRegion, [inConfig('VpcId'), inConfig('ResourceId')]],
  },
];

/** The relationships that a datasource has by these links. */
export function relationshipsOf(name: string, among: Iterable<Link>): Relationship[] {
  const relationships: Relationship[] = [];
  for (const { from, to, cardinality, about, on } of among) {
    const description = `What is about the same ${about}.`;
    const common = { name: defaultRelationship, description };
    if (from === name) {
      const keys = on.map(([one, other]) => ({ from: one, to: other }));
      relationships.push({ ...common, to, cardinality: cardinality[0], on: keys });
    }
    if (to === name) {
      const keys = on.map(([one, other]) => ({ from: other, to: one }));
      relationships.push({ ...common, to: from, cardinality: cardinality[1], on: keys });
    }
  }
  return relationships;
}

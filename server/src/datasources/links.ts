import { defaultRelationship, type JoinKey, type Relationship } from '@vedette/lql/catalogue/catalogue';

type Cardinality = Relationship['cardinality'];

/** Two related datasources. Each gets a relationship to the other. */
export interface Link {
  readonly from: string;
  readonly to: string;
  /** Rows of `to` per row of `from`, and vice versa. */
  readonly cardinality: readonly [forward: Cardinality, backward: Cardinality];
  /** The subject that related rows share. */
  readonly subject: string;
  readonly on: readonly (readonly [from: JoinKey, to: JoinKey])[];
}

/** A join on a column of the same name. */
export const sameColumn = (column: string) => [{ column }, { column }] as const;
const inConfig = (...keys: string[]): JoinKey => ({ column: 'RESOURCE_CONFIG', keys });

/** An ARN alone is ambiguous: it may be reported from several regions. */
export const sameAwsResource = ['ACCOUNT_ID', 'RESOURCE_REGION', 'ARN'].map(sameColumn);
const inOneRegion = ['ACCOUNT_ID', 'RESOURCE_REGION'].map(sameColumn);

const manyToOne = ['ONE', 'MANY'] as const;
const oneToMany = ['MANY', 'ONE'] as const;

/** Relationships that can not be derived from names or columns. */
export const knownLinks: readonly Link[] = [
  {
    from: 'LW_HA_CONNECTION_SUMMARY',
    to: 'LW_HE_MACHINES',
    cardinality: manyToOne,
    subject: 'source host',
    on: [[{ column: 'SRC_ENTITY_ID', keys: ['mid'] }, { column: 'MID' }]],
  },
  {
    from: 'LW_HA_FILE_CHANGES',
    to: 'LW_HE_FILES',
    cardinality: manyToOne,
    subject: 'file',
    on: ['MID', 'PATH'].map(sameColumn),
  },
  {
    from: 'LW_HE_PROCESSES',
    to: 'LW_HE_USERS',
    cardinality: manyToOne,
    subject: 'user',
    on: ['MID', 'USERNAME'].map(sameColumn),
  },
  {
    from: 'LW_HE_CONTAINERS',
    to: 'LW_HE_IMAGES',
    cardinality: manyToOne,
    subject: 'image',
    on: ['MID', 'IMAGE_ID'].map(sameColumn),
  },
  {
    from: 'LW_CFG_AWS_EC2_SECURITY_GROUPS',
    to: 'LW_CFG_AWS_EC2_VPCS',
    cardinality: manyToOne,
    subject: 'network',
    on: [...inOneRegion, [inConfig('VpcId'), inConfig('VpcId')]],
  },
  {
    from: 'LW_CFG_AWS_EC2_VPCS',
    to: 'LW_CFG_AWS_EC2_VPC_FLOW_LOGS',
    cardinality: oneToMany,
    subject: 'network',
    on: [...inOneRegion, [inConfig('VpcId'), inConfig('ResourceId')]],
  },
];

/** Relationships by datasource. */
export class LinkIndex {
  readonly #relationships = new Map<string, Relationship[]>();

  constructor(links: Iterable<Link>) {
    for (const { from, to, cardinality, subject, on } of links) {
      const common = { name: defaultRelationship, description: `Rows about the same ${subject}.` };
      const forward = on.map(([one, other]) => ({ from: one, to: other }));
      const backward = on.map(([one, other]) => ({ from: other, to: one }));
      this.#add(from, { ...common, to, cardinality: cardinality[0], on: forward });
      this.#add(to, { ...common, to: from, cardinality: cardinality[1], on: backward });
    }
  }

  relationshipsOf(datasource: string): readonly Relationship[] {
    return this.#relationships.get(datasource) ?? [];
  }

  #add(from: string, relationship: Relationship): void {
    const others = this.#relationships.get(from);
    if (others) others.push(relationship);
    else this.#relationships.set(from, [relationship]);
  }
}

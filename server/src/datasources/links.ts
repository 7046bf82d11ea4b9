import { defaultRelationship, type JoinKey, type Relationship } from '@vedette/lql/catalogue/catalogue';

type Cardinality = Relationship['cardinality'];

/** Two related datasources. Each gets a relationship to the other. */
export interface Link {
  readonly from: string;
  readonly to: string;
  /** Rows of `to` per row of `from`, and vice versa. */
  readonly cardinality: readonly [there: Cardinality, back: Cardinality];
  /** The subject that related rows share. */
  readonly about: string;
  readonly on: readonly (readonly [from: JoinKey, to: JoinKey])[];
}

/** A join on a column of the same name. */
export const same = (column: string) => [{ column }, { column }] as const;
const inConfig = (...keys: string[]): JoinKey => ({ column: 'RESOURCE_CONFIG', keys });

/** An ARN alone is ambiguous: it may be reported from several regions. */
export const sameAwsResource = ['ACCOUNT_ID', 'RESOURCE_REGION', 'ARN'].map(same);
const inOneRegion = ['ACCOUNT_ID', 'RESOURCE_REGION'].map(same);

const manyToOne = ['ONE', 'MANY'] as const;
const oneToMany = ['MANY', 'ONE'] as const;

/** Relationships that can not be derived from names or columns. */
export const knownLinks: readonly Link[] = [
  {
    from: 'LW_HA_CONNECTION_SUMMARY',
    to: 'LW_HE_MACHINES',
    cardinality: manyToOne,
    about: 'source host',
    on: [[{ column: 'SRC_ENTITY_ID', keys: ['mid'] }, { column: 'MID' }]],
  },
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

/** Relationships by datasource. */
export class LinkIndex {
  readonly #relationships = new Map<string, Relationship[]>();

  constructor(links: Iterable<Link>) {
    for (const { from, to, cardinality, about, on } of links) {
      const common = { name: defaultRelationship, description: `Rows about the same ${about}.` };
      const there = on.map(([one, other]) => ({ from: one, to: other }));
      const back = on.map(([one, other]) => ({ from: other, to: one }));
      this.#add(from, { ...common, to, cardinality: cardinality[0], on: there });
      this.#add(to, { ...common, to: from, cardinality: cardinality[1], on: back });
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

import type { Column } from '@vedette/lql/catalogue/catalogue';
import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { columnTable } from './column-table.ts';
import type { Section } from './section.ts';

const created = columnTable(['RECORD_CREATED_TIME', 'Timestamp', 'When the row was made.']);
const principal = columnTable(['PRINCIPAL_ID', 'String', 'Identity, as its provider names it.']);
const path = columnTable(['PATH_ID', 'String', 'Id of the path.']);
const provider = columnTable(
  ['PROVIDER_TYPE', 'String', 'Cloud: AWS, AZURE, GCP.'],
  ['DOMAIN_ID', 'String', 'Account, tenant or organization there.'],
);
const metrics = columnTable(['METRICS', 'Json', 'How grave it is, in numbers.']);

const tables: Readonly<Record<string, { description: string; columns: readonly Column[] }>> = {
  LW_APA_ATTACK_PATHS: {
    description: 'Ways from the outside to what is worth protecting.',
    columns: [
      ...created,
      ...path,
      ...provider,
      ...metrics,
      ...columnTable(['PATH', 'Json', 'Its steps, in order.'], ['TARGETS', 'Json', 'What it leads to.']),
    ],
  },
  LW_APA_EXPOSURE_PATHS: {
    description: 'Ways on which something can be reached from the outside.',
    columns: [
      ...created,
      ...path,
      ...columnTable(['PATH_TYPE', 'String', 'What kind of way it is.']),
      ...provider,
      ...metrics,
      ...columnTable(
        ['TARGET_ID', 'String', 'What it leads to.'],
        ['TARGET_TYPE', 'String', 'What kind of thing that is.'],
        ['TARGET_TAGS', 'Json', 'Tags of that.'],
      ),
    ],
  },
  LW_CE_ENTITLEMENTS: {
    description: 'What identities of clouds may do, and when they last did.',
    columns: [
      ...created,
      ...principal,
      ...provider,
      ...columnTable(
        ['SERVICE', 'Json', 'Service that the right is for.'],
        ['RESOURCE_TYPE', 'String', 'Kind of resource that the right is for.'],
        ['RESOURCE_ID', 'String', 'Resource that the right is for.'],
        ['POLICY_ID', 'String', 'Policy that gives the right.'],
        ['ACTION', 'String', 'What the right allows.'],
        ['LAST_USED_TIME', 'Timestamp', 'When the right was last used.'],
      ),
    ],
  },
  LW_CE_IDENTITIES: {
    description: 'Users, roles and other identities of clouds.',
    columns: [
      ...created,
      ...principal,
      ...provider,
      ...columnTable(
        ['NAME', 'Json', 'Name of the identity.'],
        ['LAST_USED_TIME', 'Timestamp', 'When it was last used.'],
        ['CREATED_TIME', 'Timestamp', 'When the identity was made.'],
      ),
      ...metrics,
      ...columnTable(
        ['TAGS', 'Json', 'Its tags.'],
        ['ACCESS_KEYS', 'Json', 'Its access keys, without their secrets.'],
        ['ENTITLEMENT_COUNTS', 'Json', 'How many rights it has, and how many of them it uses.'],
        ['TRUST_POLICY', 'Json', 'Who may act as it.'],
      ),
    ],
  },
  LW_CE_LINKED_IDENTITIES: {
    description: 'Identities that can act as one another.',
    columns: [
      ...created,
      ...principal,
      ...columnTable(
        ['NAME', 'Json', 'Name of the identity.'],
        ['LINKED_PRINCIPAL_ID', 'String', 'The other identity.'],
        ['LINKED_NAME', 'Json', 'Name of the other identity.'],
        ['RELATION_TYPE', 'String', 'How the two belong together.'],
      ),
    ],
  },
  LW_CE_REMEDIATIONS: {
    description: 'What would make the rights of identities fewer.',
    columns: [
      ...created,
      ...columnTable(
        ['REMEDIATION_KEYS', 'Json', 'What it is about.'],
        ['REMEDIATION_TYPE', 'String', 'What to do.'],
      ),
      ...metrics,
    ],
  },
};

/** Datasources that queries name and that can be checked, but which nothing fills. */
export class UnavailableSection implements Section {
  find(name: string): ServedDatasource | undefined {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (!table) return undefined;
    const description = `${table.description} Nothing produces rows of it yet.`;
    return {
      name,
      description,
      columns: table.columns,
      relationships: [],
      origin: { from: 'nothing' },
    };
  }

  names(): Iterable<string> {
    return Object.keys(tables);
  }
}

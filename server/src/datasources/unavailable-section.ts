import type { Column } from '@vedette/lql/catalogue/catalogue';
import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { columnTable } from './column-table.ts';
import type { Section } from './section.ts';

const created = columnTable(['RECORD_CREATED_TIME', 'Timestamp', 'When the row was recorded.']);
const principal = columnTable(['PRINCIPAL_ID', 'String', 'Id of the identity at its provider.']);
const path = columnTable(['PATH_ID', 'String', 'Id of the path.']);
const provider = columnTable(
  ['PROVIDER_TYPE', 'String', 'Cloud: AWS, AZURE, GCP.'],
  ['DOMAIN_ID', 'String', 'Account, tenant or organization.'],
);
const metrics = columnTable(['METRICS', 'Json', 'Severity metrics.']);

const tables: Readonly<Record<string, { description: string; columns: readonly Column[] }>> = {
  LW_APA_ATTACK_PATHS: {
    description: 'Attack paths from the internet to critical assets.',
    columns: [
      ...created,
      ...path,
      ...provider,
      ...metrics,
      ...columnTable(
        ['PATH', 'Json', 'Steps of the path, in order.'],
        ['TARGETS', 'Json', 'Targets of the path.'],
      ),
    ],
  },
  LW_APA_EXPOSURE_PATHS: {
    description: 'Exposure paths from the internet to resources.',
    columns: [
      ...created,
      ...path,
      ...columnTable(['PATH_TYPE', 'String', 'Type of the path.']),
      ...provider,
      ...metrics,
      ...columnTable(
        ['TARGET_ID', 'String', 'Target of the path.'],
        ['TARGET_TYPE', 'String', 'Type of the target.'],
        ['TARGET_TAGS', 'Json', 'Tags of the target.'],
      ),
    ],
  },
  LW_CE_ENTITLEMENTS: {
    description: 'Permissions of cloud identities, and their last use.',
    columns: [
      ...created,
      ...principal,
      ...provider,
      ...columnTable(
        ['SERVICE', 'Json', 'Service of the permission.'],
        ['RESOURCE_TYPE', 'String', 'Resource type of the permission.'],
        ['RESOURCE_ID', 'String', 'Resource of the permission.'],
        ['POLICY_ID', 'String', 'Policy that grants the permission.'],
        ['ACTION', 'String', 'Allowed action.'],
        ['LAST_USED_TIME', 'Timestamp', 'When the permission was last used.'],
      ),
    ],
  },
  LW_CE_IDENTITIES: {
    description: 'Users, roles and other cloud identities.',
    columns: [
      ...created,
      ...principal,
      ...provider,
      ...columnTable(
        ['NAME', 'Json', 'Name of the identity.'],
        ['LAST_USED_TIME', 'Timestamp', 'When it was last used.'],
        ['CREATED_TIME', 'Timestamp', 'When the identity was created.'],
      ),
      ...metrics,
      ...columnTable(
        ['TAGS', 'Json', 'Its tags.'],
        ['ACCESS_KEYS', 'Json', 'Its access keys, without their secrets.'],
        ['ENTITLEMENT_COUNTS', 'Json', 'Numbers of granted and used permissions.'],
        ['TRUST_POLICY', 'Json', 'Principals that may assume the identity.'],
      ),
    ],
  },
  LW_CE_LINKED_IDENTITIES: {
    description: 'Identities that can assume one another.',
    columns: [
      ...created,
      ...principal,
      ...columnTable(
        ['NAME', 'Json', 'Name of the identity.'],
        ['LINKED_PRINCIPAL_ID', 'String', 'The other identity.'],
        ['LINKED_NAME', 'Json', 'Name of the other identity.'],
        ['RELATION_TYPE', 'String', 'Type of the link.'],
      ),
    ],
  },
  LW_CE_REMEDIATIONS: {
    description: 'Remediations that reduce the permissions of identities.',
    columns: [
      ...created,
      ...columnTable(
        ['REMEDIATION_KEYS', 'Json', 'Subject of the remediation.'],
        ['REMEDIATION_TYPE', 'String', 'Type of the remediation.'],
      ),
      ...metrics,
    ],
  },
};

/** Datasources that queries may refer to and that are validated, but that have no data. */
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

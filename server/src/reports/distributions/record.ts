import { type Static, Type } from 'typebox';
import type { Tables } from '../../control/tables.ts';
import { severities } from '../../detection/policies/severity.ts';
import { readRecord } from '../../search/record.ts';
import { datasetOf } from '../../search/record-fields.ts';
import { frequencies } from '../scheduled/period.ts';
import { results } from './form.ts';

export type DistributionRow = Tables['report_distributions'];

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const guids = (description: string) => Type.Array(Type.String({ maxLength: 200 }), { description });
const cloudId = (description: string) => Type.Optional(string(200, description));

export const DistributionRecord = Type.Object(
  {
    reportDistributionGuid: string(100, 'Identifier used in paths.'),
    reportDefinitionGuid: string(100, 'Identifier of the report definition.'),
    distributionName: string(500, 'Name.'),
    alertChannels: guids('Identifiers (intgGuid) of the alert channels that get the report.'),
    frequency: Type.Enum([...frequencies], { description: 'How often the report is sent.' }),
    data: Type.Object(
      {
        severities: Type.Array(Type.Enum([...severities]), {
          description: 'Severities of the policies; empty for all.',
        }),
        violations: Type.Array(Type.Enum([...results]), {
          description: 'Results of the policies; empty for all.',
        }),
        resourceGroups: guids('Identifiers of resource groups; empty for no restriction.'),
        integrations: Type.Array(
          Type.Object({
            accountId: cloudId('AWS account.'),
            tenantId: cloudId('Azure tenant.'),
            subscriptionId: cloudId('Azure subscription.'),
            organizationId: cloudId('Google Cloud organization.'),
            projectId: cloudId('Google Cloud project.'),
          }),
          { description: 'Cloud accounts; empty for all.' },
        ),
      },
      { description: 'What the report is about.' },
    ),
  },
  { description: 'A report distribution.' },
);
export type DistributionRecord = Static<typeof DistributionRecord>;

export const distributionsDataset = datasetOf(DistributionRecord, {
  name: 'ReportDistributions',
  description: 'Regular delivery of reports to alert channels: which definition, about what, how often.',
  table: 'report_distributions',
  key: 'id',
  columns: { reportDistributionGuid: 'id' },
});

export function distributionRecord(row: DistributionRow): DistributionRecord {
  return readRecord(row as unknown as Record<string, unknown>, distributionsDataset) as DistributionRecord;
}

import { Type } from 'typebox';
import { optionalAwsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyText } from '../../../integrations/members.ts';
import { accountMapping } from '../../account-mapping.ts';
import { scanSettings } from '../../scan-settings.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsSidekickOrg',
  description: 'Scans the volumes of an AWS organization without agents.',
  data: Type.Object({
    ...scanSettings,
    scanningAccount: anyText('Account that runs the scans.', 20),
    monitoredAccounts: anyText('Accounts or units that are scanned, separated by commas.', 20_000),
    managementAccount: Type.Optional(anyText('Account that manages the organization.', 20)),
    awsAccountId: Type.Optional(anyText('AWS account.', 20)),
    bucketArn: Type.Optional(anyText('Bucket of the results.')),
    crossAccountCredentials: optionalAwsRole,
    accountMappingFile: Type.Optional(accountMapping),
  }),
  issuesServerToken: true,
});

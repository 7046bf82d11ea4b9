import { Type } from 'typebox';
import { cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { optionalAwsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString } from '../../../integrations/members.ts';
import { accountMapping } from '../../account-mapping.ts';
import { scanSettings } from '../../scan-settings.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsSidekickOrg',
  lacksCollector: true,
  description: 'Scans the volumes of an AWS organization without agents.',
  data: Type.Object({
    ...scanSettings,
    scanningAccount: cloudNameOrEmpty('awsAccount', 'Account that runs the scans.'),
    monitoredAccounts: anyString('Accounts or organizational units to scan, separated by commas.', 20_000),
    managementAccount: Type.Optional(
      cloudNameOrEmpty('awsAccount', 'Account that manages the organization.'),
    ),
    awsAccountId: Type.Optional(cloudNameOrEmpty('awsAccount', 'AWS account.')),
    bucketArn: Type.Optional(cloudNameOrEmpty('awsBucket', 'Bucket for the results.')),
    crossAccountCredentials: optionalAwsRole,
    accountMappingFile: Type.Optional(accountMapping),
  }),
  issuesServerToken: true,
});

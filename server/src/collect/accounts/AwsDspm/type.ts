import { Type } from 'typebox';
import { cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { optionalAwsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice, strings } from '../../../integrations/members.ts';
import { dspmProps } from '../../dspm.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsDspm',
  lacksCollector: true,
  description: 'Scans the data stores of an AWS account for sensitive data.',
  data: Type.Object({
    awsAccountId: Type.Optional(cloudNameOrEmpty('awsAccount', 'AWS account.')),
    bucketArn: Type.Optional(cloudNameOrEmpty('awsBucket', 'Bucket for the results.')),
    crossAccountCredentials: optionalAwsRole,
    regions: Type.Optional(strings('Regions to scan.')),
    integrationLevel: Type.Optional(choice(['ACCOUNT', 'ORG'], 'Scope of the scan.')),
    managementAccount: Type.Optional(
      cloudNameOrEmpty('awsAccount', 'Account that manages the organization.'),
    ),
  }),
  props: dspmProps,
  issuesServerToken: true,
  reportsState: true,
});

import { Type } from 'typebox';
import { cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { optionalAwsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice, texts } from '../../../integrations/members.ts';
import { dspmProps } from '../../dspm.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsDspm',
  description: 'Looks for sensitive data in the stores of an AWS account.',
  data: Type.Object({
    awsAccountId: Type.Optional(cloudNameOrEmpty('awsAccount', 'AWS account.')),
    bucketArn: Type.Optional(cloudNameOrEmpty('awsBucket', 'Bucket of the results.')),
    crossAccountCredentials: optionalAwsRole,
    regions: Type.Optional(texts('Regions that are looked at.')),
    integrationLevel: Type.Optional(choice(['ACCOUNT', 'ORG'], 'What is looked at.')),
    managementAccount: Type.Optional(
      cloudNameOrEmpty('awsAccount', 'Account that manages the organization.'),
    ),
  }),
  props: dspmProps,
  issuesServerToken: true,
  reportsState: true,
});

import { Type } from 'typebox';
import { optionalAwsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyText, choice, texts } from '../../../integrations/members.ts';
import { dspmProps } from '../../dspm.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsDspm',
  description: 'Looks for sensitive data in the stores of an AWS account.',
  data: Type.Object({
    awsAccountId: Type.Optional(anyText('AWS account.', 20)),
    bucketArn: Type.Optional(anyText('Bucket of the results.')),
    crossAccountCredentials: optionalAwsRole,
    regions: Type.Optional(texts('Regions that are looked at.')),
    integrationLevel: Type.Optional(choice(['ACCOUNT', 'ORG'], 'What is looked at.')),
    managementAccount: Type.Optional(anyText('Account that manages the organization.', 20)),
  }),
  props: dspmProps,
  issuesServerToken: true,
  reportsState: true,
});

import { Type } from 'typebox';
import { cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { awsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { awsAccountOf, completeAwsAccount } from '../../aws-account.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsCfg',
  description: 'Reads the configuration of an AWS account.',
  data: Type.Object({
    crossAccountCredentials: awsRole,
    awsAccountId: Type.Optional(
      cloudNameOrEmpty('awsAccount', 'AWS account; derived from the role if omitted.'),
    ),
  }),
  complete: completeAwsAccount,
  unique: { noun: 'AWS account', identify: awsAccountOf },
});

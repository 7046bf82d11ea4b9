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
      cloudNameOrEmpty('awsAccount', 'AWS account; taken from the role when left out.'),
    ),
  }),
  complete: completeAwsAccount,
  unique: { what: 'AWS account', identify: awsAccountOf },
});

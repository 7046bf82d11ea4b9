import { Type } from 'typebox';
import { awsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyText } from '../../../integrations/members.ts';
import { awsAccountOf, completeAwsAccount } from '../../aws-account.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsCfg',
  description: 'Reads the configuration of an AWS account.',
  data: Type.Object({
    crossAccountCredentials: awsRole,
    awsAccountId: Type.Optional(anyText('AWS account; taken from the role when left out.', 20)),
  }),
  complete: completeAwsAccount,
  unique: { what: 'AWS account', identify: awsAccountOf },
});

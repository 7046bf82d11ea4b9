import { Type } from 'typebox';
import { cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { awsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { requiredString } from '../../../integrations/members.ts';
import { accountMapping } from '../../account-mapping.ts';
import { completeAwsAccount } from '../../aws-account.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsCtSqs',
  description: 'Reads CloudTrail through a queue.',
  data: Type.Object({
    crossAccountCredentials: awsRole,
    queueUrl: requiredString('Queue that announces new logs.'),
    awsAccountId: Type.Optional(
      cloudNameOrEmpty('awsAccount', 'AWS account; derived from the role if omitted.'),
    ),
    accountMappingFile: Type.Optional(accountMapping),
  }),
  complete: completeAwsAccount,
  unique: { noun: 'Queue', identify: ({ queueUrl }) => String(queueUrl) },
});

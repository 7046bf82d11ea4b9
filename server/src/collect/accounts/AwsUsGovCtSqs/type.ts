import { Type } from 'typebox';
import { awsAccessKey } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { destination, requiredString } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsUsGovCtSqs',
  description: 'Reads CloudTrail of a GovCloud account through a queue.',
  data: Type.Object({
    accessKeyCredentials: awsAccessKey,
    queueUrl: destination(requiredString('Queue that announces new logs.')),
  }),
  unique: { noun: 'Queue', identify: ({ queueUrl }) => String(queueUrl) },
});

import { Type } from 'typebox';
import { awsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyText, text } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsEksAudit',
  description: 'Reads the audit logs of EKS clusters.',
  data: Type.Object({
    crossAccountCredentials: awsRole,
    snsArn: text('Topic that announces new logs.'),
    s3BucketArn: Type.Optional(anyText('Bucket of the logs.')),
  }),
  unique: { what: 'Topic', identify: ({ snsArn }) => String(snsArn) },
});

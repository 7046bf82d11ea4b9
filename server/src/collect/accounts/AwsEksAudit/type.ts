import { Type } from 'typebox';
import { cloudName, cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { awsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsEksAudit',
  description: 'Reads the audit logs of EKS clusters.',
  data: Type.Object({
    crossAccountCredentials: awsRole,
    snsArn: cloudName('awsTopic', 'Topic that announces new logs.'),
    s3BucketArn: Type.Optional(cloudNameOrEmpty('awsBucket', 'Bucket of the logs.')),
  }),
  unique: { noun: 'Topic', identify: ({ snsArn }) => String(snsArn) },
});

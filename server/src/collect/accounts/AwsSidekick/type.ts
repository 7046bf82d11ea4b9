import { Type } from 'typebox';
import { cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { optionalAwsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { scanSettings } from '../../scan-settings.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsSidekick',
  lacksCollector: true,
  description: 'Scans the volumes of an AWS account without agents.',
  data: Type.Object({
    ...scanSettings,
    awsAccountId: Type.Optional(cloudNameOrEmpty('awsAccount', 'AWS account.')),
    bucketArn: Type.Optional(cloudNameOrEmpty('awsBucket', 'Bucket for the results.')),
    crossAccountCredentials: optionalAwsRole,
  }),
  issuesServerToken: true,
});

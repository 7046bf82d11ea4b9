import { Type } from 'typebox';
import { optionalAwsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyText } from '../../../integrations/members.ts';
import { scanSettings } from '../../scan-settings.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsSidekick',
  description: 'Scans the volumes of an AWS account without agents.',
  data: Type.Object({
    ...scanSettings,
    awsAccountId: Type.Optional(anyText('AWS account.', 20)),
    bucketArn: Type.Optional(anyText('Bucket of the results.')),
    crossAccountCredentials: optionalAwsRole,
  }),
  issuesServerToken: true,
});

import { Type } from 'typebox';
import { cloudName } from '../../../integrations/cloud-names.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { requiredString } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'AwsS3',
  description: 'Writes alerts into an S3 bucket.',
  data: Type.Object({
    s3CrossAccountCredentials: Type.Object(
      {
        roleArn: cloudName('awsRole', 'Role to assume.'),
        externalId: requiredString('External id of the role’s trust policy.'),
        bucketArn: cloudName('awsBucket', 'Bucket that receives the alerts.'),
      },
      { description: 'Role and bucket.' },
    ),
  }),
});

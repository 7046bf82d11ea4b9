import { Type } from 'typebox';
import { awsRole } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, destination, requiredString } from '../../../integrations/members.ts';
import { imageLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'AWS_ECR',
  description: 'Reads images of an Elastic Container Registry.',
  data: Type.Object({
    registryType: choice(['AWS_ECR'], 'Type of registry.'),
    awsAuthType: choice(['AWS_IAM', 'AWS_ACCESS_KEY'], 'Authentication method.'),
    crossAccountCredentials: Type.Optional(awsRole),
    accessKeyCredentials: Type.Optional(
      Type.Object(
        {
          accessKeyId: requiredString('Access key id.', 200),
          secretAccessKey: blankSecret('Secret access key.'),
        },
        { description: 'Access key, for AWS_ACCESS_KEY.' },
      ),
    ),
    registryDomain: destination(requiredString('Host of the registry.', 300)),
    ...imageLimits,
  }),
  check: ({ awsAuthType, crossAccountCredentials, accessKeyCredentials }) => {
    const [needed, given] =
      awsAuthType === 'AWS_IAM'
        ? ['crossAccountCredentials', crossAccountCredentials]
        : ['accessKeyCredentials', accessKeyCredentials];
    return given === undefined ? `data.${needed} is required with ${awsAuthType}: add it.` : undefined;
  },
});

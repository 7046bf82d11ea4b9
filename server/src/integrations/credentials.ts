import { Type } from 'typebox';
import { cloudName, cloudNameOrEmpty } from './cloud-names.ts';
import { anyString, blankSecret, destination, requiredString } from './members.ts';

/** Credentials shared by several integration types. */

export const awsRole = Type.Object(
  {
    roleArn: cloudName('awsRole', 'Role to assume.'),
    externalId: requiredString('External id of the role’s trust policy.'),
  },
  { description: 'Role in the other account that may be assumed.' },
);

/** For types whose role is created later: clients send the object without its members. */
export const optionalAwsRole = Type.Object(
  {
    roleArn: Type.Optional(cloudNameOrEmpty('awsRole', 'Role to assume.')),
    externalId: Type.Optional(anyString('External id of the role’s trust policy.')),
  },
  { description: 'Role in the other account that may be assumed.' },
);

export const awsAccessKey = Type.Object(
  {
    accountId: cloudName('awsAccount', 'AWS account.'),
    accessKeyId: requiredString('Access key id.', 200),
    secretAccessKey: blankSecret('Secret access key.'),
  },
  { description: 'Access key of the AWS account.' },
);

export const azureApplication = Type.Object(
  {
    clientId: requiredString('Application (client) id.', 200),
    clientSecret: Type.Optional(blankSecret('Client secret.')),
  },
  { description: 'Application that reads the tenant.' },
);

const googleMembers = {
  clientId: requiredString('Client id of the service account.', 200),
  clientEmail: requiredString('E-mail address of the service account.', 320),
  privateKeyId: Type.Optional(blankSecret('Id of the private key.')),
  privateKey: Type.Optional(blankSecret('Private key, PEM.')),
};

export const googleServiceAccount = Type.Object(googleMembers, { description: 'Service account.' });

export const googleServiceAccountWithUri = Type.Object(
  {
    ...googleMembers,
    tokenUri: Type.Optional(
      destination(anyString('Token endpoint.'), {
        leftOut: 'https://oauth2.googleapis.com/token',
      }),
    ),
  },
  { description: 'Service account.' },
);

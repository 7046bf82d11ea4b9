import { Type } from 'typebox';
import { awsAccessKey } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { awsAccountOf } from '../../aws-account.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AwsUsGovCfg',
  description: 'Reads the configuration of a GovCloud account.',
  fixedDestination: 'amazonaws.com',
  data: Type.Object({
    accessKeyCredentials: awsAccessKey,
  }),
  unique: { noun: 'AWS account', identify: awsAccountOf },
});

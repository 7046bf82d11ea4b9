import { Type } from 'typebox';
import { googleServiceAccount } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice, requiredString } from '../../../integrations/members.ts';
import { checkProject, projectOrOrganization } from '../../google-scope.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'GcpAtSes',
  description: 'Reads the audit trail of Google Cloud through a subscription.',
  fixedDestination: 'googleapis.com',
  data: Type.Object({
    credentials: googleServiceAccount,
    idType: choice(['PROJECT', 'ORGANIZATION'], 'Type of the id.'),
    id: projectOrOrganization('Project or organization.'),
    subscriptionName: requiredString('Subscription that announces new logs.'),
  }),
  check: checkProject('idType', 'id'),
  unique: { noun: 'Subscription', identify: ({ subscriptionName }) => String(subscriptionName) },
});

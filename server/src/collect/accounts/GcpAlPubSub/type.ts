import { Type } from 'typebox';
import { googleServiceAccount } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, choice, requiredString } from '../../../integrations/members.ts';
import { checkProject, projectOrOrganization } from '../../google-scope.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'GcpAlPubSub',
  description: 'Reads the audit log of Google Cloud through Pub/Sub.',
  fixedDestination: 'googleapis.com',
  data: Type.Object({
    credentials: googleServiceAccount,
    integrationType: choice(['PROJECT', 'ORGANIZATION'], 'Scope of the integration.'),
    organizationId: Type.Optional(anyString('Organization.', 200)),
    // One client sends the organization number here.
    projectId: Type.Optional(projectOrOrganization('Project.', { mayBeEmpty: true })),
    subscriptionName: requiredString('Subscription that delivers the log.'),
    topicId: requiredString('Topic of the log.', 300),
  }),
  check: checkProject('integrationType', 'projectId'),
  unique: { noun: 'Subscription', identify: ({ subscriptionName }) => String(subscriptionName) },
});

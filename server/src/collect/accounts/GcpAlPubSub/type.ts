import { Type } from 'typebox';
import { googleServiceAccount } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, choice, text } from '../../../integrations/members.ts';
import { checkProject, projectOrOrganization } from '../../google-scope.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'GcpAlPubSub',
  description: 'Reads the audit log of Google Cloud through Pub/Sub.',
  fixedDestination: 'googleapis.com',
  data: Type.Object({
    credentials: googleServiceAccount,
    integrationType: choice(['PROJECT', 'ORGANIZATION'], 'What is read.'),
    organizationId: Type.Optional(anyString('Organization.', 200)),
    // One client sends the number of the organization here.
    projectId: Type.Optional(projectOrOrganization('Project.', { mayBeEmpty: true })),
    subscriptionName: text('Subscription that delivers the log.'),
    topicId: text('Topic of the log.', 300),
  }),
  check: checkProject('integrationType', 'projectId'),
  unique: { what: 'Subscription', identify: ({ subscriptionName }) => String(subscriptionName) },
});

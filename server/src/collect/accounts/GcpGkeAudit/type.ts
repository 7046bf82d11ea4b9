import { Type } from 'typebox';
import { googleServiceAccount } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, choice, text } from '../../../integrations/members.ts';
import { checkProject, projectOrOrganization } from '../../google-scope.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'GcpGkeAudit',
  description: 'Reads the audit logs of GKE clusters.',
  fixedDestination: 'googleapis.com',
  data: Type.Object({
    credentials: googleServiceAccount,
    // One known record has `Project`; it must come back as it was sent.
    integrationType: choice(['PROJECT', 'ORGANIZATION', 'Project', 'Organization'], 'What is read.'),
    organizationId: Type.Optional(anyString('Organization.', 200)),
    projectId: projectOrOrganization('Project.'),
    subscriptionName: text('Subscription that delivers the log.'),
  }),
  check: checkProject('integrationType', 'projectId'),
  unique: { what: 'Subscription', identify: ({ subscriptionName }) => String(subscriptionName) },
});

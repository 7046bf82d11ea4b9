import { Type } from 'typebox';
import { googleServiceAccount } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, choice, requiredString } from '../../../integrations/members.ts';
import { checkProject, projectOrOrganization } from '../../google-scope.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'GcpGkeAudit',
  description: 'Reads the audit logs of GKE clusters.',
  fixedDestination: 'googleapis.com',
  data: Type.Object({
    credentials: googleServiceAccount,
    // One client sends `Project` and expects it back unchanged.
    integrationType: choice(
      ['PROJECT', 'ORGANIZATION', 'Project', 'Organization'],
      'Scope of the integration.',
    ),
    organizationId: Type.Optional(anyString('Organization.', 200)),
    projectId: projectOrOrganization('Project.'),
    subscriptionName: requiredString('Subscription that delivers the log.'),
  }),
  check: checkProject('integrationType', 'projectId'),
  unique: { noun: 'Subscription', identify: ({ subscriptionName }) => String(subscriptionName) },
});

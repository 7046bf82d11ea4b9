import { Type } from 'typebox';
import { azureApplication } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { text } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureAlSeq',
  description: 'Reads the activity log of Azure through a queue.',
  data: Type.Object({
    credentials: azureApplication,
    tenantId: text('Tenant.', 200),
    queueUrl: text('Queue that announces new logs.'),
  }),
  unique: { what: 'Queue', identify: ({ tenantId, queueUrl }) => `${tenantId} ${queueUrl}` },
});

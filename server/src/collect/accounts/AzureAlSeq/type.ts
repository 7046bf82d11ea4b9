import { Type } from 'typebox';
import { cloudName } from '../../../integrations/cloud-names.ts';
import { azureApplication } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { destination, requiredString } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureAlSeq',
  description: 'Reads the activity log of Azure through a queue.',
  data: Type.Object({
    credentials: azureApplication,
    tenantId: destination(cloudName('azureTenant', 'Tenant.')),
    queueUrl: destination(requiredString('Queue that announces new logs.'), { within: 'core.windows.net' }),
  }),
  unique: { noun: 'Queue', identify: ({ tenantId, queueUrl }) => `${tenantId} ${queueUrl}` },
});

import { Type } from 'typebox';
import { azureApplication } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { text } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureCfg',
  description: 'Reads the configuration of an Azure tenant.',
  data: Type.Object({
    credentials: azureApplication,
    tenantId: text('Tenant.', 200),
  }),
  unique: { what: 'Tenant', identify: ({ tenantId }) => String(tenantId) },
});

import { Type } from 'typebox';
import { azureApplication } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { destination, text } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureCfg',
  description: 'Reads the configuration of an Azure tenant.',
  data: Type.Object({
    credentials: azureApplication,
    tenantId: destination(text('Tenant.', 200)),
  }),
  unique: { what: 'Tenant', identify: ({ tenantId }) => String(tenantId) },
});

import { Type } from 'typebox';
import { cloudName } from '../../../integrations/cloud-names.ts';
import { azureApplication } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { destination } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureCfg',
  description: 'Reads the configuration of an Azure tenant.',
  data: Type.Object({
    credentials: azureApplication,
    tenantId: destination(cloudName('azureTenant', 'Tenant.')),
  }),
  unique: { noun: 'Tenant', identify: ({ tenantId }) => String(tenantId) },
});

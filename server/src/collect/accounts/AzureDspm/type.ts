import { Type } from 'typebox';
import { cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, blankSecret, choice, destination, strings } from '../../../integrations/members.ts';
import { dspmProps } from '../../dspm.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureDspm',
  lacksCollector: true,
  description: 'Scans the data stores of an Azure tenant for sensitive data.',
  data: Type.Object({
    tenantId: Type.Optional(destination(cloudNameOrEmpty('azureTenant', 'Tenant.'))),
    integrationLevel: Type.Optional(choice(['SUBSCRIPTION', 'TENANT'], 'Scope of the scan.')),
    storageAccountUrl: Type.Optional(
      destination(anyString('Storage account for the results.'), { within: 'core.windows.net' }),
    ),
    blobContainerName: Type.Optional(anyString('Container for the results.', 200)),
    credentials: Type.Object(
      {
        clientId: Type.Optional(anyString('Application (client) id.', 200)),
        clientSecret: Type.Optional(blankSecret('Client secret.')),
      },
      { description: 'Application that reads the data stores.' },
    ),
    regions: Type.Optional(strings('Regions to scan.')),
  }),
  props: dspmProps,
  issuesServerToken: true,
  reportsState: true,
});

import { Type } from 'typebox';
import { cloudNameOrEmpty } from '../../../integrations/cloud-names.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, blankSecret, choice, destination, texts } from '../../../integrations/members.ts';
import { dspmProps } from '../../dspm.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureDspm',
  description: 'Looks for sensitive data in the stores of an Azure tenant.',
  data: Type.Object({
    tenantId: Type.Optional(destination(cloudNameOrEmpty('azureTenant', 'Tenant.'))),
    integrationLevel: Type.Optional(choice(['SUBSCRIPTION', 'TENANT'], 'What is looked at.')),
    storageAccountUrl: Type.Optional(
      destination(anyString('Storage account of the results.'), { within: 'core.windows.net' }),
    ),
    blobContainerName: Type.Optional(anyString('Container of the results.', 200)),
    credentials: Type.Object(
      {
        clientId: Type.Optional(anyString('Application (client) id.', 200)),
        clientSecret: Type.Optional(blankSecret('Client secret.')),
      },
      { description: 'Application that reads the stores.' },
    ),
    regions: Type.Optional(texts('Regions that are looked at.')),
  }),
  props: dspmProps,
  issuesServerToken: true,
  reportsState: true,
});

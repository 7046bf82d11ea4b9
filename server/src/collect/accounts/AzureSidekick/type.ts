import { Type } from 'typebox';
import { cloudName } from '../../../integrations/cloud-names.ts';
import { azureApplication } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, choice, destination, requiredString } from '../../../integrations/members.ts';
import { scanSettings } from '../../scan-settings.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureSidekick',
  lacksCollector: true,
  description: 'Scans the disks of Azure subscriptions without agents.',
  data: Type.Object({
    ...scanSettings,
    credentials: azureApplication,
    integrationLevel: choice(['SUBSCRIPTION', 'TENANT'], 'Scope of the scan.'),
    tenantId: destination(cloudName('azureTenant', 'Tenant.')),
    scanningSubscriptionId: cloudName('azureSubscription', 'Subscription that runs the scans.'),
    scanningResourceGroupName: requiredString('Resource group that runs the scans.', 200),
    storageAccountUrl: destination(requiredString('Storage account for the results.'), {
      within: 'core.windows.net',
    }),
    blobContainerName: requiredString('Container for the results.', 200),
    subscriptionsList: Type.Optional(anyString('Subscriptions to scan, separated by commas.', 20_000)),
  }),
  issuesServerToken: true,
});

import { Type } from 'typebox';
import { cloudName } from '../../../integrations/cloud-names.ts';
import { azureApplication } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { destination, requiredString } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'AzureAdAl',
  lacksCollector: true,
  description: 'Reads the activity of Entra ID through an event hub.',
  data: Type.Object({
    credentials: azureApplication,
    tenantId: destination(cloudName('azureTenant', 'Tenant.')),
    eventHubNamespace: destination(requiredString('Namespace of the event hub.', 300)),
    eventHubName: requiredString('Event hub.', 300),
  }),
  unique: {
    noun: 'Event hub',
    identify: ({ eventHubNamespace, eventHubName }) => `${eventHubNamespace} ${eventHubName}`,
  },
});

import { integrationFamily } from '../../families/integration-family.ts';
import { integrationRoutes } from '../../families/integration-routes.ts';
import type { IntegrationCatalogue } from '../../integrations/catalogue.ts';
import type { Integrations } from '../../integrations/integrations.ts';

const name = 'AlertChannels';

export const alertChannelRoutes = (parts: { integrations: Integrations; catalogue: IntegrationCatalogue }) =>
  integrationRoutes({
    ...parts,
    name,
    singular: 'an alert channel',
    plural: 'alert channels',
    title: 'Alert Channel',
    family: integrationFamily(name, 'Where alerts and reports are sent.', parts.catalogue),
    hasReplacement: true,
  });

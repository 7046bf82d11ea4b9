import { integrationFamily } from '../../families/integration-family.ts';
import { replacementRoute } from '../../families/integration-replacement.ts';
import { integrationRoutes } from '../../families/integration-routes.ts';
import type { IntegrationCatalogue } from '../../integrations/catalogue.ts';
import type { Integrations } from '../../integrations/integrations.ts';

const name = 'AlertChannels';

export const alertChannelRoutes = (parts: {
  integrations: Integrations;
  catalogue: IntegrationCatalogue;
}) => {
  const channels = {
    ...parts,
    name,
    singular: 'an alert channel',
    plural: 'alert channels',
    title: 'Alert Channel',
    family: integrationFamily(name, 'Where alerts and reports are sent.', parts.catalogue),
  } as const;
  return [...integrationRoutes(channels), replacementRoute(channels)];
};

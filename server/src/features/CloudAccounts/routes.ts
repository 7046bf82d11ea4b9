import type { Scanner } from '../../control/scan/scanner.ts';
import { integrationFamily } from '../../families/integration-family.ts';
import { integrationRoutes } from '../../families/integration-routes.ts';
import type { IntegrationCatalogue } from '../../integrations/catalogue.ts';
import type { Integrations } from '../../integrations/integrations.ts';
import { migrationRoute } from './migration.ts';

const name = 'CloudAccounts';

export const cloudAccountRoutes = (deps: {
  integrations: Integrations;
  catalogue: IntegrationCatalogue;
  scanner: Scanner;
}) => {
  const accounts = {
    ...deps,
    name,
    singular: 'a cloud account',
    plural: 'cloud accounts',
    title: 'Cloud Account',
    family: integrationFamily(name, 'Cloud accounts that data is collected from.', deps.catalogue),
    hasReplacement: true,
  } as const;
  return [...integrationRoutes(accounts), migrationRoute(accounts)];
};

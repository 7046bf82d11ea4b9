import { Type } from 'typebox';
import { googleServiceAccount } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice, destination, requiredString } from '../../../integrations/members.ts';
import { imageLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'GCP_GAR',
  description: 'Reads images of Google Artifact Registry.',
  data: Type.Object({
    registryType: choice(['GCP_GAR'], 'Type of registry.'),
    credentials: googleServiceAccount,
    registryDomain: destination(requiredString('Host of the registry.', 300), { within: 'pkg.dev' }),
    ...imageLimits,
  }),
});

import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, destination, requiredString } from '../../../integrations/members.ts';
import { imageLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'GHCR',
  description: 'Reads images of GitHub Container Registry.',
  data: Type.Object({
    registryType: choice(['GHCR'], 'Type of registry.'),
    credentials: Type.Object(
      {
        username: requiredString('User.', 320),
        password: Type.Optional(blankSecret('Token.')),
        ssl: Type.Optional(
          destination(Type.Boolean({ description: 'Whether the registry uses TLS.' }), { leftOut: true }),
        ),
      },
      { description: 'User of the registry.' },
    ),
    registryDomain: Type.Optional(
      destination(requiredString('Host of the registry.', 300), { leftOut: 'ghcr.io' }),
    ),
    registryNotifications: Type.Optional(
      Type.Boolean({ description: 'Whether the registry sends notifications of new images.' }),
    ),
    ...imageLimits,
  }),
});

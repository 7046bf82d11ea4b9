import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, destination, text } from '../../../integrations/members.ts';
import { imageLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'GHCR',
  description: 'Reads images of GitHub Container Registry.',
  data: Type.Object({
    registryType: choice(['GHCR'], 'The kind of registry.'),
    credentials: Type.Object(
      {
        username: text('User.', 320),
        password: Type.Optional(blankSecret('Token.')),
        ssl: Type.Optional(
          destination(Type.Boolean({ description: 'Whether it speaks TLS.' }), { leftOut: true }),
        ),
      },
      { description: 'User of the registry.' },
    ),
    registryDomain: Type.Optional(destination(text('Host of the registry.', 300), { leftOut: 'ghcr.io' })),
    registryNotifications: Type.Optional(
      Type.Boolean({ description: 'Whether the registry announces images.' }),
    ),
    ...imageLimits,
  }),
});

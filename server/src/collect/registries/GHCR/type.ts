import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, text } from '../../../integrations/members.ts';
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
        ssl: Type.Optional(Type.Boolean({ description: 'Whether it speaks TLS.' })),
      },
      { description: 'User of the registry.' },
    ),
    registryDomain: Type.Optional(text('Host of the registry.', 300)),
    registryNotifications: Type.Optional(
      Type.Boolean({ description: 'Whether the registry announces images.' }),
    ),
    ...imageLimits,
  }),
});

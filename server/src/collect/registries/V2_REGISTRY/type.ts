import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, destination, requiredString } from '../../../integrations/members.ts';
import { tagLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'V2_REGISTRY',
  description: 'Reads images of a Docker V2 registry.',
  data: Type.Object({
    registryType: choice(['V2_REGISTRY'], 'Type of registry.'),
    credentials: Type.Object(
      {
        username: requiredString('User.', 320),
        password: blankSecret('Password.'),
        ssl: Type.Optional(
          destination(Type.Boolean({ description: 'Whether the registry uses TLS.' }), { leftOut: false }),
        ),
      },
      { description: 'User of the registry.' },
    ),
    registryDomain: destination(requiredString('Host of the registry.', 300)),
    registryNotifications: Type.Optional(
      Type.Boolean({ description: 'Whether the registry sends notifications of new images.' }),
    ),
    ...tagLimits,
  }),
});

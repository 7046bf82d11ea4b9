import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, destination, text } from '../../../integrations/members.ts';
import { imageLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'DOCKERHUB',
  description: 'Reads images of Docker Hub.',
  data: Type.Object({
    registryType: choice(['DOCKERHUB'], 'The kind of registry.'),
    credentials: Type.Object(
      { username: text('User.', 320), password: blankSecret('Password.') },
      { description: 'User of the registry.' },
    ),
    registryDomain: Type.Optional(
      destination(text('Host of the registry.', 300), { leftOut: 'index.docker.io' }),
    ),
    ...imageLimits,
  }),
});

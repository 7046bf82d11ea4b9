import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, destination, requiredString } from '../../../integrations/members.ts';
import { imageLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'DOCKERHUB',
  description: 'Reads images of Docker Hub.',
  data: Type.Object({
    registryType: choice(['DOCKERHUB'], 'Type of registry.'),
    credentials: Type.Object(
      { username: requiredString('User.', 320), password: blankSecret('Password.') },
      { description: 'User of the registry.' },
    ),
    registryDomain: Type.Optional(
      destination(requiredString('Host of the registry.', 300), { leftOut: 'index.docker.io' }),
    ),
    ...imageLimits,
  }),
});

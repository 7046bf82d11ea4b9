import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice } from '../../../integrations/members.ts';
import { imageLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'PROXY_SCANNER',
  description: 'Receives the results of a scanner next to a registry.',
  data: Type.Object({
    registryType: choice(['PROXY_SCANNER'], 'Type of registry.'),
    ...imageLimits,
  }),
  issuesServerToken: true,
  isStateless: true,
});

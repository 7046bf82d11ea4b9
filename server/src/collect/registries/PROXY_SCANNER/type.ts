import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice } from '../../../integrations/members.ts';
import { imageLimits } from '../../image-limits.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'PROXY_SCANNER',
  description: 'Takes the results of a scanner that runs beside a registry.',
  data: Type.Object({
    registryType: choice(['PROXY_SCANNER'], 'The kind of registry.'),
    ...imageLimits,
  }),
  issuesServerToken: true,
  isStateless: true,
});

import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice, labels } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'ContainerRegistries',
  type: 'ContVulnCfg',
  subtype: 'INLINE_SCANNER',
  description: 'Receives the results of scans in build pipelines.',
  data: Type.Object({
    registryType: choice(['INLINE_SCANNER'], 'Type of registry.'),
    identifierTag: Type.Optional(labels('Tags that identify results of this scanner.')),
    // A string, not a number, because one client decodes it as such.
    limitNumScan: Type.Optional(
      Type.String({
        pattern: '^\\d{1,4}$',
        maxLength: 4,
        description: 'Maximum number of scans per hour, in digits.',
      }),
    ),
  }),
  issuesServerToken: true,
  isStateless: true,
});

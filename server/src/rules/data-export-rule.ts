import { Type } from 'typebox';
import type { RuleKind } from './kind.ts';
import { generalMembers } from './members.ts';

export const dataExportRule: RuleKind = {
  family: 'DataExportRules',
  type: 'Dataexport',
  members: {
    ...generalMembers,
    profileVersions: Type.Array(Type.Enum(['V1']), {
      minItems: 1,
      maxItems: 100,
      description: 'Versions of the export format; V1 if omitted.',
    }),
  },
  defaults: { enabled: 1, profileVersions: ['V1'] },
};

import { Type } from 'typebox';
import { labels } from '../integrations/members.ts';

const stringArray = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 1_024 }), { maxItems: 1_000, description }));

export const tagLimits = {
  limitByTag: stringArray('Image tags to read; `*` matches any string.'),
  limitByLabel: Type.Optional(labels('Image labels to read.')),
  nonOsPackageEval: Type.Optional(
    Type.Boolean({ description: 'Whether language packages are evaluated, too.' }),
  ),
};

/** Limits the images that are read from a registry. */
export const imageLimits = {
  ...tagLimits,
  limitByRep: stringArray('Repositories to read.'),
  limitNumImg: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000, description: 'Maximum number of images per repository.' }),
  ),
};

import { Type } from 'typebox';
import { labels } from '../integrations/members.ts';

const list = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 1_024 }), { maxItems: 1_000, description }));

export const tagLimits = {
  limitByTag: list('Tags of images that are read; `*` stands for any text.'),
  limitByLabel: Type.Optional(labels('Labels of images that are read.')),
  nonOsPackageEval: Type.Optional(Type.Boolean({ description: 'Whether language packages are judged too.' })),
};

/** Which images of a registry are read. */
export const imageLimits = {
  ...tagLimits,
  limitByRep: list('Repositories that are read.'),
  limitNumImg: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000, description: 'Images per repository.' }),
  ),
};

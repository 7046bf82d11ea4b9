import { Type } from 'typebox';
import { JsonChunks } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import type { FrameworkList } from '../../reports/definitions/framework-list.ts';
import { FrameworkRecord } from '../../reports/definitions/framework-record.ts';

const family = {
  name: 'Frameworks',
  description: 'Compliance frameworks and custom report definitions, with their policies.',
  record: FrameworkRecord,
};

const listFrameworks = defineRoute({
  method: 'GET',
  path: '/api/v2/Frameworks',
  family,
  summary: 'List the frameworks with the policies of their sections',
  description: 'Built-in frameworks come first. A section lists the policies that this release has for it.',
  access: 'read',
  replies: {
    200: Type.Object({ data: Type.Array(FrameworkRecord, { description: 'The frameworks.' }) }),
  },
});

export const frameworkRoutes = ({ frameworkList }: { frameworkList: FrameworkList }) => [
  listFrameworks.handle(async ({ scope }) => ({
    status: 200,
    body: await JsonChunks.array(frameworkList.chunks(scope.ownerId)),
  })),
];

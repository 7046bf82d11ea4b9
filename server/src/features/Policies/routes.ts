import { Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import { PolicyChange, PolicyCreation, PolicyLevel } from '../../detection/policies/form.ts';
import type { Policies } from '../../detection/policies/policies.ts';
import { PolicyRecord, policiesDataset } from '../../detection/policies/record.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import { storedRecords } from '../../families/stored-records.ts';
import { defineRoute } from '../../http/route.ts';

const { name, description } = policiesDataset;
const family = { name, description, record: PolicyRecord };

const policyFamily = {
  family,
  singular: 'a policy',
  plural: 'policies',
  title: 'Policy',
  id: 'policyId',
  creation: PolicyCreation,
  change: PolicyChange,
  descriptions: {
    create: 'The query and the alert profile must exist, and the query must return each resource once.',
    get: '`$account` at the beginning of an identifier is replaced by the name of the account.',
    change:
      'Omitted members keep their values. Of a built-in policy, only `enabled`, `alertEnabled` and `severity` can change.',
    remove: 'Also deletes the exceptions of the policy. Built-in policies cannot be deleted.',
  },
  mayRefuseRemoval: true,
  refuses: { create: ['INVALID_QUERY'], change: ['INVALID_QUERY'] },
} as const;

const listTags = defineRoute({
  method: 'GET',
  path: '/api/v2/Policies/Tags',
  family,
  summary: 'List the tags of all policies',
  access: 'read',
  replies: {
    200: Type.Object({
      data: Type.Array(Type.String({ maxLength: 500 }), { description: 'The distinct tags.' }),
    }),
  },
});

const changeMany = defineRoute({
  method: 'PATCH',
  path: '/api/v2/Policies',
  family,
  summary: 'Enable, disable or change the severity of several policies',
  description: 'Either all policies are changed or none. Built-in policies can be changed as well.',
  access: 'write',
  audit: 'Policies Updated',
  body: Type.Array(PolicyLevel, { minItems: 1, maxItems: 1_000 }),
  replies: {
    200: Type.Object({
      data: Type.Array(PolicyRecord, { description: 'The policies, in the order of the request.' }),
    }),
  },
  refuses: ['NOT_FOUND'],
});

export const policyRoutes = ({ policies, scanner }: { policies: Policies; scanner: Scanner }) => {
  const recordSource = async (ownerId: string) => ({
    scanner,
    dataset: policiesDataset,
    builtIn: await policies.builtIn.list(ownerId),
  });
  return [
    ...recordRoutes(policyFamily, {
      create: ({ actor, scope }, body) => policies.create(actor, scope, body),
      list: async (request) => storedRecords(await recordSource(request.scope.ownerId), request),
      search: async (request, body) =>
        storedRecords(await recordSource(request.scope.ownerId), request, body),
      get: ({ scope }, id) => policies.get(scope, id),
      change: ({ actor, scope }, id, body) => policies.change(actor, scope, id, body),
      remove: ({ actor, scope }, id) => policies.delete(actor, scope, id),
    }),
    listTags.handle(async ({ scope }) => ({
      status: 200,
      body: { data: await policies.tags(scope.ownerId) },
    })),
    changeMany.handle(async ({ actor, scope, body }) => ({
      status: 200,
      body: { data: await policies.changeMany(actor, scope, body) },
    })),
  ];
};

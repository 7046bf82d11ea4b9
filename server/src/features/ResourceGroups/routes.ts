import { Type } from 'typebox';
import { fieldsOf, searchRecords } from '../../families/record-search.ts';
import { GroupRecord } from '../../groups/record.ts';
import type { ResourceGroups } from '../../groups/resource-groups.ts';
import { empty } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import type { Fields } from '../../search/dataset.ts';
import { SearchBody } from '../../search/request.ts';
import { DescribedGroup, GroupCreation, GroupPatch, readCreation, readPatch } from './body.ts';

const family = {
  name: 'ResourceGroups',
  description: 'Named sets of cloud resources, containers and machines.',
  record: GroupRecord,
};
const shared = { family, org: true } as const;
const path = '/api/v2/ResourceGroups';

const fields: Fields = {
  columns: {
    ...fieldsOf(GroupRecord).columns,
    createdTime: { type: 'time' },
    updatedTime: { type: 'time' },
  },
};
const params = Type.Object({
  resourceGroupGuid: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Identifier (resourceGroupGuid).',
  }),
});
const one = Type.Object({ data: GroupRecord });
const many = Type.Object({ data: Type.Array(GroupRecord, { description: 'The groups.' }) });

const create = defineRoute({
  ...shared,
  method: 'POST',
  path,
  summary: 'Create a resource group',
  description: 'A body with `query` is the newer form, one with `props` the older; of both, `query` counts.',
  access: 'write',
  audit: 'Resource Group Created',
  body: GroupCreation,
  describedBody: DescribedGroup,
  replies: { 201: one },
});
const list = defineRoute({
  ...shared,
  method: 'GET',
  path,
  summary: 'List the resource groups',
  access: 'read',
  replies: { 200: many },
});
const search = defineRoute({
  ...shared,
  method: 'POST',
  path: `${path}/search`,
  summary: 'Search the resource groups',
  access: 'read',
  body: SearchBody,
  replies: { 200: many },
  refuses: ['INVALID_FIELD', 'INVALID_FILTER'],
});
const get = defineRoute({
  ...shared,
  method: 'GET',
  path: `${path}/{resourceGroupGuid}`,
  summary: 'Show a resource group',
  access: 'read',
  params,
  replies: { 200: one },
  refuses: ['NOT_FOUND'],
});
const change = defineRoute({
  ...shared,
  method: 'PATCH',
  path: `${path}/{resourceGroupGuid}`,
  summary: 'Change members of a resource group',
  description: 'Members that are left out stay. `query` or `props` replaces what belonged to the group.',
  access: 'write',
  audit: 'Resource Group Updated',
  params,
  body: GroupPatch,
  replies: { 200: one },
  refuses: ['NOT_FOUND', 'CONFLICT'],
});
const remove = defineRoute({
  ...shared,
  method: 'DELETE',
  path: `${path}/{resourceGroupGuid}`,
  summary: 'Delete a resource group',
  access: 'write',
  audit: 'Resource Group Deleted',
  params,
  replies: { 204: empty('It is gone.') },
  refuses: ['NOT_FOUND', 'CONFLICT'],
});

export const resourceGroupRoutes = ({ groups }: { groups: ResourceGroups }) => [
  create.handle(async ({ actor, scope, body }) => ({
    status: 201,
    body: { data: await groups.create(actor, scope, readCreation(body)) },
  })),
  list.handle(async ({ scope }) => ({ status: 200, body: { data: await groups.list(scope) } })),
  search.handle(async ({ scope, body }) => {
    const found = searchRecords(await groups.list(scope), body, fields);
    return { status: 200, body: { data: found as GroupRecord[] } };
  }),
  get.handle(async ({ scope, params: { resourceGroupGuid } }) => ({
    status: 200,
    body: { data: await groups.get(scope, resourceGroupGuid) },
  })),
  change.handle(async ({ actor, scope, params: { resourceGroupGuid }, body }) => {
    const read = (present: GroupRecord) => readPatch(body, present);
    return { status: 200, body: { data: await groups.change(actor, scope, resourceGroupGuid, read) } };
  }),
  remove.handle(async ({ actor, scope, params: { resourceGroupGuid } }) => {
    await groups.delete(actor, scope, resourceGroupGuid);
    return { status: 204 };
  }),
];

import type { Scanner } from '../../control/scan/scanner.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import { GroupRecord } from '../../groups/record.ts';
import type { ResourceGroups } from '../../groups/resource-groups.ts';
import { DescribedGroup, GroupCreation, GroupPatch, readCreation, readPatch } from './body.ts';

const resourceGroups = {
  family: {
    name: 'ResourceGroups',
    description: 'Named sets of cloud resources, containers and hosts.',
    record: GroupRecord,
  },
  singular: 'a resource group',
  plural: 'resource groups',
  title: 'Resource Group',
  id: 'resourceGroupGuid',
  org: true,
  creation: GroupCreation,
  describedCreation: DescribedGroup,
  change: GroupPatch,
  descriptions: {
    create: 'The newer format has `query`, the older one `props`. If both are given, `query` is used.',
    change: 'Omitted members keep their values. `query` or `props` replaces the resources of the group.',
  },
  mayRefuseRemoval: true,
} as const;

export const resourceGroupRoutes = ({ groups, scanner }: { groups: ResourceGroups; scanner: Scanner }) =>
  recordRoutes(resourceGroups, {
    create: ({ actor, scope }, body) => groups.create(actor, scope, readCreation(body)),
    list: ({ scope }) => groups.list(scope),
    searchable: { scanner, records: ({ scope }) => groups.list(scope) },
    get: ({ scope }, guid) => groups.get(scope, guid),
    change: ({ actor, scope }, guid, body) =>
      groups.change(actor, scope, guid, (present) => readPatch(body, present)),
    remove: ({ actor, scope }, guid) => groups.delete(actor, scope, guid),
  });

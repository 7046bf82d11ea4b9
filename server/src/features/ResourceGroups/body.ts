import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import type { GroupBody, GroupChange } from '../../groups/body.ts';
import { GroupQuery } from '../../groups/query.ts';
import type { GroupRecord } from '../../groups/record.ts';
import { type ResourceType, resourceTypes } from '../../groups/resource-types.ts';
import { coded, disabledOrEnabled } from '../../platform/coded.ts';
import { Refusal } from '../../platform/errors.ts';
import { omissible } from '../../platform/omissible.ts';

const name = (description: string) =>
  Type.String({ pattern: '\\S', minLength: 1, maxLength: 500, description });
const nameDescription = 'Name; must not be empty or consist of spaces only.';
const typeDescription = `Type of the resources: one of ${resourceTypes.join(', ')}; the last one only for organizations.`;
const resourceType = Type.Enum([...resourceTypes], { description: typeDescription });
const enabled = omissible(coded(disabledOrEnabled, 'Whether the group is enabled; the default is 1:'));
const description = omissible(Type.String({ maxLength: 10_000, description: 'Purpose of the group.' }));
const props = Type.Object(
  { description },
  {
    description:
      'Resources of the group, in the older format. AWS: accountIds. AZURE: tenant, subscriptions. GCP: ' +
      'organization, projects. CONTAINER: containerLabels, containerTags. MACHINE: machineTags. LW_ACCOUNT: lwAccounts.',
  },
);

/** Both formats, of which a client sends one; read-only members that a client sends back are ignored. */
export const GroupCreation = Type.Object({
  name: omissible(name(nameDescription)),
  resourceName: omissible(name('Name, in the older format.')),
  resourceType: omissible(resourceType),
  enabled,
  description,
  query: omissible(GroupQuery),
  props: omissible(props),
});

/** Clients send a type with every update, an empty one if they do not know it. */
export const GroupPatch = Type.Object({
  ...GroupCreation.properties,
  resourceType: omissible(
    Type.Enum([...resourceTypes, ''], { description: 'Type of the resources; it cannot change.' }),
  ),
});

export const DescribedGroup = Type.Union(
  [
    Type.Object({ name: name(nameDescription), resourceType, query: GroupQuery, description, enabled }),
    Type.Object({ resourceName: name(nameDescription), resourceType, props, enabled }),
  ],
  { description: 'A group in the newer or the older format.' },
);

export function readCreation(body: Static<typeof GroupCreation>): GroupBody {
  const name = body.name ?? body.resourceName;
  if (typeof name !== 'string') throw new Refusal('INVALID_INPUT', 'name is required: add it to the body.');
  return {
    name,
    type: body.resourceType ?? 'AWS',
    enabled: body.enabled === 0 ? 0 : 1,
    description: body.description ?? undefined,
    query: body.query ?? undefined,
    props: body.props ?? undefined,
  };
}

/**
 * Records have every value under two names, and clients send back the whole record with one of the two changed. Therefore
 * unchanged values are ignored.
 */
export function readPatch(body: Static<typeof GroupPatch>, present: GroupRecord): GroupChange {
  const names = [body.name, body.resourceName].filter((value) => typeof value === 'string');
  const query = body.query ?? undefined;
  const props = body.props ?? undefined;
  const descriptions = [body.description, props?.description].filter((value) => typeof value === 'string');
  return {
    name: names.find((value) => value !== present.name),
    type: (body.resourceType || undefined) as ResourceType | undefined,
    enabled: typeof body.enabled !== 'number' ? undefined : body.enabled === 0 ? 0 : 1,
    description: descriptions.find((value) => value !== present.description),
    query: isDeepStrictEqual(query, present.query) ? undefined : query,
    props,
  };
}

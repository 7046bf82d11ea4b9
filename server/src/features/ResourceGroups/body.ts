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
const nameText = 'Name; must not be empty or consist of spaces only.';
const typeText = `Type of the resources: one of ${resourceTypes.join(', ')}; the last for organizations only.`;
const resourceType = Type.Enum([...resourceTypes], { description: typeText });
const enabled = omissible(coded(disabledOrEnabled, 'Whether it is enabled, which is the default:'));
const description = omissible(Type.String({ maxLength: 10_000, description: 'What the group is for.' }));
const props = Type.Object(
  { description },
  {
    description:
      'What belongs to the group, in the older form. AWS: accountIds. AZURE: tenant, subscriptions. GCP: ' +
      'organization, projects. CONTAINER: containerLabels, containerTags. MACHINE: machineTags. LW_ACCOUNT: lwAccounts.',
  },
);

/** Both forms, of which a client gives one; what else it read and sends back is ignored. */
export const GroupCreation = Type.Object({
  name: omissible(name(nameText)),
  resourceName: omissible(name('The same in the older form.')),
  resourceType: omissible(resourceType),
  enabled,
  description,
  query: omissible(GroupQuery),
  props: omissible(props),
});

/** The clients send a type with every change, an empty one when they do not know it. */
export const GroupPatch = Type.Object({
  ...GroupCreation.properties,
  resourceType: omissible(
    Type.Enum([...resourceTypes, ''], { description: 'Type of the resources; it can not change.' }),
  ),
});

export const DescribedGroup = Type.Union(
  [
    Type.Object({ name: name(nameText), resourceType, query: GroupQuery, description, enabled }),
    Type.Object({ resourceName: name(nameText), resourceType, props, enabled }),
  ],
  { description: 'In the newer form, or in the older one.' },
);

export function readCreation(body: Static<typeof GroupCreation>): GroupBody {
  const named = body.name ?? body.resourceName;
  if (typeof named !== 'string') throw new Refusal('INVALID_INPUT', 'name is required: add it to the body.');
  return {
    name: named,
    type: body.resourceType ?? 'AWS',
    enabled: body.enabled === 0 ? 0 : 1,
    description: body.description ?? undefined,
    query: body.query ?? undefined,
    props: body.props ?? undefined,
  };
}

/**
 * Records hold everything under two names, and clients send back what they read with one of the two changed. So what
 * is as it was says nothing.
 */
export function readPatch(body: Static<typeof GroupPatch>, present: GroupRecord): GroupChange {
  const names = [body.name, body.resourceName].filter((given) => typeof given === 'string');
  const query = body.query ?? undefined;
  const props = body.props ?? undefined;
  const descriptions = [body.description, props?.description].filter((given) => typeof given === 'string');
  return {
    name: names.find((given) => given !== present.name),
    type: (body.resourceType || undefined) as ResourceType | undefined,
    enabled: typeof body.enabled !== 'number' ? undefined : body.enabled === 0 ? 0 : 1,
    description: descriptions.find((given) => given !== present.description),
    query: isDeepStrictEqual(query, present.query) ? undefined : query,
    props,
  };
}

import type { Violation } from './finding.ts';
import { isMembers, type Members, membersOf, parsed, plainName, tagsOf } from './members.ts';

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** What a violation is known by, under the keys that exceptions use; the one that tells most comes first. */
export interface Marks {
  /** What people call the violation; as good as the name of a resource to those who write exceptions by hand. */
  readonly name: string;
  readonly texts: Readonly<Partial<Record<TextMark, readonly string[]>>>;
  readonly tags: readonly Tag[];
}

export type TextMark = keyof typeof memberNames;

/** Members of rows and entities that bear a mark, in lower case without underscores; ends of their names will do. */
const memberNames = {
  accountIds: /(?:^|aws|recipient)accountid$/,
  arns: /(?:arn|urn|resourcekey)$/,
  regionNames: /region(?:name)?$/,
  resourceNames:
    /^(?:resourceid|resourcename|resourcekey|hostname|instanceid|mid|containername|podname|filepath|path|exepath)$/,
  tenantIds: /tenantid$/,
  subscriptionIds: /subscriptionid$/,
  organizationIds: /organizationid$/,
  projectIds: /projectid$/,
  clusterIds: /cluster(?:id|name)$/,
  namespaces: /namespace$/,
} as const;
const tagNames = /^(?:resource|machine)?(?:tags|labels)$/;

/** Whether a column of that name bears the mark. */
export function hasMark(column: string, mark: TextMark): boolean {
  return memberNames[mark].test(plainName(column));
}

const mostOfOne = 20;
const mostTags = 100;
const longest = 2_048;

export type Marked = Pick<Violation, 'name' | 'shownName' | 'row' | 'entities' | 'machineTags' | 'hostname'>;

/**
 * What the row says counts; where it is silent, what the entities say. A resource goes by all the names that it has, and
 * what is on a host by the tags and the name of the host as well.
 */
export function marksOf({ name, shownName, row, entities, machineTags, hostname }: Marked): Marks {
  const ofRow = [row, ...Object.values(row).flatMap((value) => partsOfEvent(parsed(value)))];
  const ofEntities = entities.flatMap(({ key, props }) => [key, props]);
  const texts: Partial<Record<TextMark, string[]>> = {};
  for (const mark of Object.keys(memberNames) as TextMark[]) {
    const said = textsIn(ofRow, mark);
    const isNames = mark === 'resourceNames';
    const lookedUp = isNames ? [hostname ?? '', shownName ?? ''] : [];
    const found = said.length > 0 && !isNames ? said : [...said, ...textsIn(ofEntities, mark), ...lookedUp];
    const kept = [...new Set(found)].filter((text) => text !== '' && text.length <= longest);
    if (kept.length > 0) texts[mark] = kept.slice(0, mostOfOne);
  }
  const own = tagsIn(ofRow);
  const tags = [...(own.length > 0 ? own : tagsIn(ofEntities)), ...tagsIn([{ machineTags }])];
  return { name: name.slice(0, longest), texts, tags: tags.slice(0, mostTags) };
}

/**
 * A raw event in a column says who did what where: CloudTrail in its own members, its caller below `userIdentity`. The
 * role of a session outlives the session, so it comes before it.
 */
function partsOfEvent(value: unknown): Members[] {
  if (!isMembers(value)) return [];
  const { awsRegion, recipientAccountId, userIdentity, objectRef, resource, resources } = value;
  const { sessionContext, arn } = membersOf(userIdentity);
  return [
    { awsRegion, recipientAccountId },
    { arn: membersOf(membersOf(sessionContext).sessionIssuer).arn },
    { arn },
    ...(Array.isArray(resources)
      ? resources.slice(0, mostOfOne).map((each) => ({ arn: membersOf(each).ARN }))
      : []),
    { namespace: membersOf(objectRef).namespace },
    { projectId: membersOf(membersOf(resource).labels).project_id },
  ];
}

function textsIn(places: readonly Members[], mark: TextMark): string[] {
  return places.flatMap((members) =>
    Object.entries(members).flatMap(([name, value]) => {
      if (!hasMark(name, mark)) return [];
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return [];
      const text = String(value);
      const isArn = text.startsWith('arn:');
      if (mark === 'arns') return isArn ? [text] : [];
      return [isArn ? nameInArn(text) : text];
    }),
  );
}

/** What people call the resource is what its ARN ends with. */
function nameInArn(arn: string): string {
  return arn.slice(Math.max(arn.lastIndexOf(':'), arn.lastIndexOf('/')) + 1);
}

function tagsIn(places: readonly Members[]): Tag[] {
  return places
    .flatMap((members) =>
      Object.entries(members).flatMap(([name, value]) =>
        tagNames.test(plainName(name)) ? tagsOf(value) : [],
      ),
    )
    .filter(([key, value]) => key.length <= longest && value.length <= longest)
    .map(([key, value]) => ({ key, value }));
}

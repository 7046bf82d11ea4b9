import type { Violation } from './finding.ts';
import { isObject, type Members, membersOf, normalizedName, parsed, tagsOf } from './members.ts';

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** Attributes of a violation by the keys of exception constraints; the most specific value first. */
export interface Marks {
  /** Matches like a resource name, for exceptions written by hand. */
  readonly name: string;
  readonly texts: Readonly<Partial<Record<StringMark, readonly string[]>>>;
  readonly tags: readonly Tag[];
}

export type StringMark = keyof typeof memberNames;

/** Names of members that hold an attribute, normalised to lower case without underscores. */
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

/** Whether a column holds the attribute. */
export function hasMark(column: string, mark: StringMark): boolean {
  return memberNames[mark].test(normalizedName(column));
}

const maxValues = 20;
const maxTags = 100;
const maxLength = 2_048;

export type MarkSource = Pick<
  Violation,
  'name' | 'shownName' | 'row' | 'entities' | 'machineTags' | 'hostname'
>;

/**
 * Row values take precedence over entity values. Resource names combine both; a violation on a host also carries the
 * tags and the name of the host.
 */
export function marksOf({ name, shownName, row, entities, machineTags, hostname }: MarkSource): Marks {
  const ofRow = [row, ...Object.values(row).flatMap((value) => membersOfEvent(parsed(value)))];
  const ofEntities = entities.flatMap(({ key, props }) => [key, props]);
  const texts: Partial<Record<StringMark, string[]>> = {};
  for (const mark of Object.keys(memberNames) as StringMark[]) {
    const rowValues = valuesIn(ofRow, mark);
    const isNames = mark === 'resourceNames';
    const lookedUp = isNames ? [hostname ?? '', shownName ?? ''] : [];
    const candidates =
      rowValues.length > 0 && !isNames
        ? rowValues
        : [...rowValues, ...valuesIn(ofEntities, mark), ...lookedUp];
    const kept = [...new Set(candidates)].filter((value) => value !== '' && value.length <= maxLength);
    if (kept.length > 0) texts[mark] = kept.slice(0, maxValues);
  }
  const own = tagsIn(ofRow);
  const tags = [...(own.length > 0 ? own : tagsIn(ofEntities)), ...tagsIn([{ machineTags }])];
  return { name: name.slice(0, maxLength), texts, tags: tags.slice(0, maxTags) };
}

/**
 * Attributes of a raw event in a column, such as CloudTrail. The role ARN comes before the session ARN, because the
 * session is short-lived.
 */
function membersOfEvent(value: unknown): Members[] {
  if (!isObject(value)) return [];
  const { awsRegion, recipientAccountId, userIdentity, objectRef, resource, resources } = value;
  const { sessionContext, arn } = membersOf(userIdentity);
  return [
    { awsRegion, recipientAccountId },
    { arn: membersOf(membersOf(sessionContext).sessionIssuer).arn },
    { arn },
    ...(Array.isArray(resources)
      ? resources.slice(0, maxValues).map((each) => ({ arn: membersOf(each).ARN }))
      : []),
    { namespace: membersOf(objectRef).namespace },
    { projectId: membersOf(membersOf(resource).labels).project_id },
  ];
}

function valuesIn(places: readonly Members[], mark: StringMark): string[] {
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

/** The last segment of an ARN is the resource name. */
function nameInArn(arn: string): string {
  return arn.slice(Math.max(arn.lastIndexOf(':'), arn.lastIndexOf('/')) + 1);
}

function tagsIn(places: readonly Members[]): Tag[] {
  return places
    .flatMap((members) =>
      Object.entries(members).flatMap(([name, value]) =>
        tagNames.test(normalizedName(name)) ? tagsOf(value) : [],
      ),
    )
    .filter(([key, value]) => key.length <= maxLength && value.length <= maxLength)
    .map(([key, value]) => ({ key, value }));
}

import type { ReadingOutput } from '../../../inventory/reading.ts';
import { awsResource, globalRegion } from '../../aws-resource.ts';
import { tagMap } from '../../aws-tags.ts';
import type { AwsCaller, AwsCustomRead } from '../../service.ts';
import { parsedDocument, storedJson } from '../../stored-config.ts';

/** The datasources of narrow calls, which one wide call fills. */
const kinds = {
  LW_CFG_AWS_IAM_USERS: { call: 'ListUsers', type: 'iam:user' },
  LW_CFG_AWS_IAM_USERS_LIST_POLICIES: { call: 'ListUserPolicies', type: 'iam:user' },
  LW_CFG_AWS_IAM_USERS_GET_POLICY: { call: 'GetUserPolicy', type: 'iam:user' },
  LW_CFG_AWS_IAM_USERS_LIST_ATTACHED_POLICIES: { call: 'ListAttachedUserPolicies', type: 'iam:user' },
  LW_CFG_AWS_IAM_GROUPS: { call: 'ListGroups', type: 'iam:group' },
  LW_CFG_AWS_IAM_GROUP_POLICIES: { call: 'ListGroupPolicies', type: 'iam:group' },
  LW_CFG_AWS_IAM_GET_GROUP_POLICY: { call: 'GetGroupPolicy', type: 'iam:group' },
  LW_CFG_AWS_IAM_GROUPS_LIST_ATTACHED_POLICIES: { call: 'ListAttachedGroupPolicies', type: 'iam:group' },
  LW_CFG_AWS_IAM_ROLES: { call: 'ListRoles', type: 'iam:role' },
  LW_CFG_AWS_IAM_ROLES_LIST_POLICIES: { call: 'ListRolePolicies', type: 'iam:role' },
  LW_CFG_AWS_IAM_ROLES_GET_POLICY: { call: 'GetRolePolicy', type: 'iam:role' },
  LW_CFG_AWS_IAM_ROLES_LIST_ATTACHED_POLICIES: { call: 'ListAttachedRolePolicies', type: 'iam:role' },
  LW_CFG_AWS_IAM_POLICIES: { call: 'ListPolicies', type: 'iam:policy' },
  LW_CFG_AWS_IAM_POLICIES_GET_VERSION: { call: 'GetPolicyVersion', type: 'iam:policy' },
} as const;
type Kind = keyof typeof kinds;

interface Principal {
  /** Its members are named for it: `UserName`, `UserPolicyList`. */
  readonly noun: 'User' | 'Group' | 'Role';
  readonly kind: Kind;
  /** The kinds of its inline policies, and of those attached to it. */
  readonly list: Kind;
  readonly get: Kind;
  readonly attached: Kind;
}

const principals: readonly Principal[] = [
  {
    noun: 'User',
    kind: 'LW_CFG_AWS_IAM_USERS',
    list: 'LW_CFG_AWS_IAM_USERS_LIST_POLICIES',
    get: 'LW_CFG_AWS_IAM_USERS_GET_POLICY',
    attached: 'LW_CFG_AWS_IAM_USERS_LIST_ATTACHED_POLICIES',
  },
  {
    noun: 'Group',
    kind: 'LW_CFG_AWS_IAM_GROUPS',
    list: 'LW_CFG_AWS_IAM_GROUP_POLICIES',
    get: 'LW_CFG_AWS_IAM_GET_GROUP_POLICY',
    attached: 'LW_CFG_AWS_IAM_GROUPS_LIST_ATTACHED_POLICIES',
  },
  {
    noun: 'Role',
    kind: 'LW_CFG_AWS_IAM_ROLES',
    list: 'LW_CFG_AWS_IAM_ROLES_LIST_POLICIES',
    get: 'LW_CFG_AWS_IAM_ROLES_GET_POLICY',
    attached: 'LW_CFG_AWS_IAM_ROLES_LIST_ATTACHED_POLICIES',
  },
];

interface InlinePolicy {
  readonly PolicyName: string;
  readonly PolicyDocument?: unknown;
}
interface PolicyVersion {
  readonly IsDefaultVersion?: boolean;
  readonly Document?: unknown;
}
type Details = Readonly<Record<string, unknown>> & { readonly Arn: string };

/**
 * Users, groups, roles and policies from one paginated call, instead of four calls for each of them. Of the policies that
 * AWS manages, only attached ones are stored.
 */
export const authorizationDetails: AwsCustomRead = {
  name: 'GetAccountAuthorizationDetails',
  kinds,
  calls: ['GetAccountAuthorizationDetails'],
  async read(calls, output) {
    const rows = new Rows(calls, output);
    for await (const page of calls.pages('GetAccountAuthorizationDetails', { MaxItems: 1_000 })) {
      for (const principal of principals)
        for (const details of detailsIn(page, `${principal.noun}DetailList`))
          await addPrincipal(rows, principal, details);
      for (const details of detailsIn(page, 'Policies')) await addPolicy(rows, details);
    }
  },
};

async function addPrincipal(rows: Rows, principal: Principal, given: Details): Promise<void> {
  const { noun, kind, list, get, attached } = principal;
  const name = String(given[`${noun}Name`]);
  const resource = { arn: given.Arn, id: name, tags: tagMap(given.Tags) };
  const inline = arrayIn<InlinePolicy>(given[`${noun}PolicyList`]).map((policy) => ({
    ...policy,
    PolicyDocument: parsedDocument(policy.PolicyDocument),
  }));
  const details = {
    ...given,
    [`${noun}PolicyList`]: inline,
    ...(noun === 'Role' && { AssumeRolePolicyDocument: parsedDocument(given.AssumeRolePolicyDocument) }),
  };
  await rows.add(kind, { ...resource, config: details });
  for (const policy of inline) {
    const below = { ...resource, key: `${given.Arn} ${policy.PolicyName}` };
    await rows.add(list, { ...below, config: { PolicyName: policy.PolicyName } });
    await rows.add(get, { ...below, config: { [`${noun}Name`]: name, ...policy } });
  }
  for (const policy of arrayIn<{ PolicyArn: string }>(given.AttachedManagedPolicies))
    await rows.add(attached, { ...resource, key: `${given.Arn} ${policy.PolicyArn}`, config: policy });
}

async function addPolicy(rows: Rows, { PolicyVersionList, ...policy }: Details): Promise<void> {
  if (policy.Arn.includes(':iam::aws:') && policy.AttachmentCount === 0) return;
  const resource = {
    arn: policy.Arn,
    id: policy.Arn.slice(policy.Arn.lastIndexOf('/') + 1),
    tags: tagMap(policy.Tags),
  };
  const current = arrayIn<PolicyVersion>(PolicyVersionList).find(({ IsDefaultVersion }) => IsDefaultVersion);
  const PolicyVersion = current && { ...current, Document: parsedDocument(current.Document) };
  await rows.add('LW_CFG_AWS_IAM_POLICIES', { ...resource, config: policy });
  const config = PolicyVersion ? { PolicyVersion } : {};
  await rows.add('LW_CFG_AWS_IAM_POLICIES_GET_VERSION', { ...resource, config });
}

/** Adds rows of the narrow calls. */
class Rows {
  readonly #calls: AwsCaller;
  readonly #output: ReadingOutput;

  constructor(calls: AwsCaller, output: ReadingOutput) {
    this.#calls = calls;
    this.#output = output;
  }

  async add(
    kind: Kind,
    row: {
      readonly key?: string;
      readonly arn: string;
      readonly id: string;
      readonly config: object;
      readonly tags: Record<string, string> | undefined;
    },
  ): Promise<void> {
    const { account, service } = this.#calls;
    const where = { ...kinds[kind], region: globalRegion, service: service.prefix };
    await this.#output.add(kind, awsResource(account, { ...row, ...where, config: storedJson(row.config) }));
  }
}

function detailsIn(page: Readonly<Record<string, unknown>>, member: string): Details[] {
  const details = arrayIn<Details>(page[member]);
  const strange = details.find((one) => typeof one?.Arn !== 'string');
  if (strange !== undefined)
    throw new Error(`GetAccountAuthorizationDetails returned ${member} without Arn.`);
  return details;
}

function arrayIn<T>(value: unknown): T[] {
  return Array.isArray(value) ? value : [];
}

import type { ControlStore } from '../control/store.ts';
import type { Account, Caller } from '../identity/caller.ts';
import type { AccountRole, OrganizationRole } from '../identity/roles.ts';
import type { Scope } from '../identity/scope.ts';
import type { UserRow } from '../identity/user-row.ts';
import { notFound, Refusal } from '../platform/errors.ts';

export interface Membership {
  readonly accountId: string;
  readonly accountName: string;
  readonly role: AccountRole;
}

/** A user with all roles, which determine who may change them. */
export interface Member {
  readonly user: UserRow;
  readonly organizationRole: OrganizationRole | null;
  readonly memberships: readonly Membership[];
  /** All accounts of the organization, also those without a membership. */
  readonly accounts: readonly Account[];
  /** When the user last signed in or got a token. */
  readonly lastSession: number | undefined;
}

export interface MemberFilter {
  readonly id?: string;
  /** Includes users with a role in this organization, who have access to every account. */
  readonly organizationId?: string | undefined;
}

/** The members of an account, or all users of the organization. */
export async function loadMembers(
  db: ControlStore['read'],
  scope: Scope,
  { id, organizationId }: MemberFilter = {},
): Promise<Member[]> {
  const inScope = db
    .selectFrom('users')
    .$if(scope.isOrganization, (query) => query.where('organization_id', '=', scope.ownerId))
    .$if(!scope.isOrganization, (query) =>
      query.where(({ eb, or, and, selectFrom }) =>
        or([
          eb('id', 'in', selectFrom('memberships').select('user_id').where('account_id', '=', scope.ownerId)),
          ...(organizationId === undefined
            ? []
            : [and([eb('organization_id', '=', organizationId), eb('organization_role', 'is not', null)])]),
        ]),
      ),
    )
    .$if(id !== undefined, (query) => query.where('id', '=', id as string));
  const users = await inScope.selectAll().orderBy('email').execute();
  const accounts = await db.selectFrom('accounts').select(['id', 'name']).orderBy('name').execute();
  const memberships = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['memberships.user_id as userId', 'memberships.account_id as accountId'])
    .select(['accounts.name as accountName', 'memberships.role'])
    .where('memberships.user_id', 'in', inScope.select('id'))
    .orderBy('accounts.name')
    .execute();
  const sessions = await db
    .selectFrom('api_keys')
    .select(({ fn }) => ['user_id', fn.max('last_used_at').as('last')])
    .where('user_id', 'in', inScope.select('id'))
    .groupBy('user_id')
    .execute();
  const lastSessions = new Map(sessions.map(({ user_id, last }) => [user_id, last]));
  const membershipsOf = new Map(users.map(({ id }) => [id, [] as Membership[]]));
  for (const { userId, role, ...account } of memberships) {
    membershipsOf.get(userId)?.push({ ...account, role: role as AccountRole });
  }
  return users.map((user) => ({
    user,
    organizationRole: user.organization_role as OrganizationRole | null,
    memberships: membershipsOf.get(user.id) ?? [],
    accounts,
    lastSession: Math.max(lastSessions.get(user.id) ?? 0, user.last_sign_in_at ?? 0) || undefined,
  }));
}

export async function findMember(
  db: ControlStore['read'],
  scope: Scope,
  filter: MemberFilter & { readonly id: string },
): Promise<Member> {
  const [member] = await loadMembers(db, scope, filter);
  if (!member) throw notFound('user', filter.id);
  return member;
}

/** Whether the user belongs to a single account and has no role in the organization. */
export function isOfOneAccount({ organizationRole, memberships }: Member): boolean {
  return organizationRole === null && memberships.length === 1;
}

/**
 * An account administrator manages only users who belong to that account alone: changes of other users would affect
 * other accounts or the organization. Such users can only be removed from the account.
 */
export function refuseUnmanageable({ organizationRole }: Caller, member: Member): void {
  if (organizationRole === 'orgAdmin' || isOfOneAccount(member)) return;
  const reason = member.organizationRole ? 'has a role in the organization' : 'belongs to other accounts';
  throw new Refusal(
    'FORBIDDEN',
    `${member.user.email} ${reason}: ask an administrator of the organization, or remove the user from the account.`,
  );
}

import { sql } from 'kysely';
import type { Actor } from '../control/actor.ts';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Caller } from '../identity/caller.ts';
import { keepAdministrator, lockOrganization } from '../identity/last-administrator.ts';
import type { Scope } from '../identity/scope.ts';
import { endSessions } from '../identity/sessions.ts';
import { type UserRow, type UserType, userRow } from '../identity/user-row.ts';
import { changedMembers } from '../integrations/changes.ts';
import type { Clock } from '../platform/clock.ts';
import { notFound, Refusal } from '../platform/errors.ts';
import { findMember, isOfOneAccount, loadMembers, type Member, refuseUnmanageable } from './member.ts';
import { comparable, describeRoles, type Profile, profileColumns } from './profile.ts';
import {
  noRoles,
  type OrganizationRoles,
  rolesOf,
  type UserRoles,
  withAccountRole,
  withOrganizationRoles,
} from './user-roles.ts';

const maxInAccount = 10_000;
const maxInOrganization = 100_000;

export interface TeamView {
  readonly caller: Caller;
  readonly scope: Scope;
}

export interface TeamRequest extends TeamView {
  readonly actor: Actor;
}

/** Whether callers with a role in the organization see other such users as members of its accounts. */
export type TeamVisibility = 'account' | 'organization';

export interface MemberRoles extends OrganizationRoles {
  /** In the account of the request; ignored for the organization. */
  readonly accountAdmin?: boolean | undefined;
}

export interface NewMember {
  readonly userName: string;
  /** The member of the request body with the user name. */
  readonly member: string;
  readonly type: UserType;
  readonly profile: Profile;
  readonly roles: MemberRoles;
}

/** Manages the users of an account or of the organization. */
export class Team {
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #reach: TeamVisibility;

  constructor(store: ControlStore, clock: Clock, reach: TeamVisibility) {
    this.#store = store;
    this.#clock = clock;
    this.#reach = reach;
  }

  list(request: TeamView): Promise<Member[]> {
    return loadMembers(this.#store.read, request.scope, this.#visibility(request));
  }

  get(request: TeamView, id: string): Promise<Member> {
    return findMember(this.#store.read, request.scope, { id, ...this.#visibility(request) });
  }

  create({ actor, caller, scope }: TeamRequest, given: NewMember): Promise<Member> {
    const email = given.userName.toLowerCase();
    return this.#store.transaction(actor, async (tx, act) => {
      await lockOrganization(tx, caller.organization.id);
      await refuseDuplicate(tx, given.member, email);
      await refuseDeletedAccount(tx, scope);
      await refuseTooMany(tx, scope);
      const roles = await rolesAfter(tx, scope, noRoles, {
        ...given.roles,
        accountAdmin: given.roles.accountAdmin ?? false,
      });
      refuseWithoutRole(roles);
      const row = userRow(caller.organization, this.#clock.now(), {
        email,
        type: given.type,
        organization_role: roles.organizationRole,
        updated_by: actor.userName,
        ...profileColumns(given.profile),
      });
      await tx.insertInto('users').values(row).execute();
      await writeMemberships(tx, row.id, roles);
      const created = await findMember(tx, scope, { id: row.id });
      act.describe(`'${email}' (${row.id}): ${describeRoles(created)}`);
      return created;
    });
  }

  /** Omitted members are kept. `read` derives the changes from the present member. */
  change(
    { actor, caller, scope }: TeamRequest,
    id: string,
    read: (present: Member) => { profile: Profile; roles: MemberRoles },
  ): Promise<Member> {
    const { organization } = caller;
    return this.#store.transaction(actor, async (tx, act) => {
      await lockOrganization(tx, organization.id);
      const present = await findMember(tx, scope, { id, ...this.#visibility({ caller, scope }) });
      refuseUnmanageable(caller, present);
      const { profile, roles: given } = read(present);
      const roles = await rolesAfter(tx, scope, rolesOf(present), given);
      const { last_sign_in_at: _, ...kept } = present.user;
      const next: Omit<UserRow, 'last_sign_in_at'> = {
        ...kept,
        ...profileColumns(profile),
        organization_role: roles.organizationRole,
        updated_at: this.#clock.now(),
        updated_by: actor.userName,
      };
      await keepAdministrator(tx, organization.id, () =>
        tx.updateTable('users').set(next).where('id', '=', id).execute(),
      );
      // Enabling the user again does not bring the sessions back.
      if (next.enabled === 0) await endSessions(tx, id);
      await writeMemberships(tx, id, roles);
      const after = await findMember(tx, scope, { id, ...this.#visibility({ caller, scope }) });
      const changed = changedMembers(comparable(present), comparable(after)).join(', ') || 'nothing';
      act.describe(`'${next.email}' (${id}): ${changed}; ${describeRoles(after)}`);
      return after;
    });
  }

  /** Removes a user with other roles from the account only; deletes any other user with all keys and tokens. */
  async remove({ actor, caller, scope }: TeamRequest, id: string): Promise<void> {
    const { organization } = caller;
    await this.#store.transaction(actor, async (tx, act) => {
      await lockOrganization(tx, organization.id);
      const present = await findMember(tx, scope, { id, ...this.#visibility({ caller, scope }) });
      const name = `'${present.user.email}' (${id})`;
      if (!scope.isOrganization && !isOfOneAccount(present)) {
        refuseWithoutMembership(present, scope);
        await tx
          .deleteFrom('memberships')
          .where('user_id', '=', id)
          .where('account_id', '=', scope.ownerId)
          .execute();
        act.describe(`${name} is no longer a member of ${scope.name}`);
        return;
      }
      await keepAdministrator(tx, organization.id, () =>
        tx.deleteFrom('users').where('id', '=', id).execute(),
      );
      act.describe(`${name} with all API keys and tokens`);
    });
  }

  #visibility({ caller: { organization, organizationRole } }: TeamView) {
    const isVisible = this.#reach === 'organization' && organizationRole !== undefined;
    return { organizationId: isVisible ? organization.id : undefined };
  }
}

/** Such a user has no membership to remove. */
function refuseWithoutMembership({ user, memberships }: Member, { ownerId, name }: Scope): void {
  if (memberships.some(({ accountId }) => accountId === ownerId)) return;
  throw new Refusal(
    'CONFLICT',
    `${user.email} has a role in the organization, not in ${name}: send the header Org-Access: true to delete them.`,
  );
}

async function refuseDuplicate(tx: ControlTransaction, member: string, email: string): Promise<void> {
  const other = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  if (!other) return;
  throw new Refusal(
    'CONFLICT',
    `${member} '${email}' already exists: ask an administrator of the organization to add the user to this account.`,
  );
}

/** The account may have been deleted while the request waited for the lock. */
async function refuseDeletedAccount(
  tx: ControlTransaction,
  { isOrganization, ownerId }: Scope,
): Promise<void> {
  if (isOrganization) return;
  const account = await tx.selectFrom('accounts').select('id').where('id', '=', ownerId).executeTakeFirst();
  if (!account) throw notFound('account', ownerId);
}

/** Limits the length of responses, which are not paged. An account can use a tenth of the organization's limit. */
async function refuseTooMany(
  tx: ControlTransaction,
  { isOrganization, ownerId, name }: Scope,
): Promise<void> {
  const count = sql<number>`count(*)`.as('members');
  const { members } = isOrganization
    ? await tx
        .selectFrom('users')
        .select(count)
        .where('organization_id', '=', ownerId)
        .executeTakeFirstOrThrow()
    : await tx
        .selectFrom('memberships')
        .select(count)
        .where('account_id', '=', ownerId)
        .executeTakeFirstOrThrow();
  const limit = isOrganization ? maxInOrganization : maxInAccount;
  if (Number(members) < limit) return;
  throw new Refusal('CONFLICT', `${name} already has ${limit} team members, the maximum: delete one first.`);
}

/** Requests to an account set only the role in it; other roles need a request to the organization. */
async function rolesAfter(
  tx: ControlTransaction,
  scope: Scope,
  present: UserRoles,
  roles: MemberRoles,
): Promise<UserRoles> {
  if (scope.isOrganization) return withOrganizationRoles(present, roles, await accountIds(tx, scope.ownerId));
  refuseOrganizationRoles(roles);
  const isMember = present.organizationRole === null || present.accountRoles.has(scope.ownerId);
  // A client that sends back the record of a user with a role in the organization requests no membership.
  if (roles.accountAdmin === undefined || (!roles.accountAdmin && !isMember)) return present;
  return withAccountRole(present, scope.ownerId, roles.accountAdmin ? 'accountAdmin' : 'accountUser');
}

function refuseWithoutRole({ organizationRole, accountRoles }: UserRoles): void {
  if (organizationRole !== null || accountRoles.size > 0) return;
  throw new Refusal(
    'INVALID_INPUT',
    'adminRoleAccounts or userRoleAccounts must contain an account, unless orgAdmin or orgUser is true.',
  );
}

function refuseOrganizationRoles({
  orgAdmin,
  orgUser,
  adminRoleAccounts,
  userRoleAccounts,
}: OrganizationRoles): void {
  const requested = { orgAdmin, orgUser, adminRoleAccounts, userRoleAccounts };
  for (const [member, value] of Object.entries(requested)) {
    // False and empty arrays request no role.
    if (value === true || (Array.isArray(value) && value.length > 0)) {
      throw new Refusal(
        'FORBIDDEN',
        `${member} can only be set by an administrator of the organization: send the header Org-Access: true.`,
      );
    }
  }
}

async function accountIds(tx: ControlTransaction, organizationId: string): Promise<Map<string, string>> {
  const accounts = await tx
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .execute();
  return new Map(accounts.map(({ id, name }) => [name, id]));
}

async function writeMemberships(
  tx: ControlTransaction,
  userId: string,
  { accountRoles }: UserRoles,
): Promise<void> {
  await tx.deleteFrom('memberships').where('user_id', '=', userId).execute();
  if (accountRoles.size === 0) return;
  const rows = [...accountRoles].map(([account_id, role]) => ({ user_id: userId, account_id, role }));
  await tx.insertInto('memberships').values(rows).execute();
}

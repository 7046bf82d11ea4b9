import type { ControlStore, ControlTransaction } from '../control/store.ts';
import { lockOrganization } from '../identity/last-administrator.ts';
import type { AccountRole } from '../identity/roles.ts';
import type { Scope } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import { loadMembers, type Member, refuseUnmanageable } from './member.ts';
import type { TeamRequest } from './team.ts';

/**
 * The roles of the predefined groups. Only one role has write access to an account, so two groups have the same
 * members; the third contains all users of the account.
 */
const roleOfGroup: Readonly<Record<string, AccountRole>> = {
  LACEWORK_USER_GROUP_ADMIN: 'accountAdmin',
  LACEWORK_USER_GROUP_POWER_USER: 'accountAdmin',
  LACEWORK_USER_GROUP_READ_ONLY_USER: 'accountUser',
};

export interface GroupMembers {
  readonly userGroupGuid: string;
  readonly userGuids: string[];
}

export class UserGroups {
  readonly #store: ControlStore;

  constructor(store: ControlStore) {
    this.#store = store;
  }

  /** Never reduces rights: members of a group with more rights stay in it. */
  add(request: TeamRequest, group: string, userGuids: readonly string[]): Promise<GroupMembers> {
    const role = groupRole(group);
    return this.#change(request, group, userGuids, (present) =>
      role === 'accountAdmin' ? 'accountAdmin' : present,
    );
  }

  remove(request: TeamRequest, group: string, userGuids: readonly string[]): Promise<GroupMembers> {
    if (groupRole(group) === 'accountUser') {
      throw new Refusal(
        'CONFLICT',
        `All users of the account are in ${group}: delete the team member instead.`,
      );
    }
    return this.#change(request, group, userGuids, () => 'accountUser');
  }

  #change(
    { actor, caller, scope }: TeamRequest,
    group: string,
    userGuids: readonly string[],
    roleAfter: (present: AccountRole) => AccountRole,
  ): Promise<GroupMembers> {
    return this.#store.transaction(actor, async (tx, act) => {
      await lockOrganization(tx, caller.organization.id);
      const members = await loadMembers(tx, scope);
      const selected = select(members, userGuids);
      for (const member of selected) {
        const role = roleAfter(roleIn(scope, member));
        if (role === roleIn(scope, member)) continue;
        refuseUnmanageable(caller, member);
        await setRole(tx, scope, member, role);
      }
      act.describe(`${group}: ${selected.map(({ user }) => user.email).join(', ') || 'no users'}`);
      const after = await loadMembers(tx, scope);
      const wanted = groupRole(group);
      const inGroup = after.filter((member) => wanted === 'accountUser' || roleIn(scope, member) === wanted);
      return { userGroupGuid: group, userGuids: inGroup.map(({ user }) => user.id) };
    });
  }
}

function groupRole(group: string): AccountRole {
  const role = Object.hasOwn(roleOfGroup, group) ? roleOfGroup[group] : undefined;
  if (!role) {
    const names = Object.keys(roleOfGroup).join(', ');
    throw new Refusal('NOT_FOUND', `Not found: user group ${quoted(group)}. Use one of ${names}.`);
  }
  return role;
}

function select(members: readonly Member[], userGuids: readonly string[]): Member[] {
  const known = new Map(members.map((member) => [member.user.id, member]));
  const unknown = userGuids.filter((guid) => !known.has(guid));
  if (unknown.length > 0) {
    throw new Refusal(
      'INVALID_INPUT',
      `userGuids contains users that are not in the account: ${unknown
        .slice(0, 20)
        .map((guid) => quoted(guid))
        .join(', ')}.`,
    );
  }
  return [...new Set(userGuids)].map((guid) => known.get(guid) as Member);
}

function roleIn({ ownerId }: Scope, { memberships }: Member): AccountRole {
  return memberships.find(({ accountId }) => accountId === ownerId)?.role ?? 'accountUser';
}

async function setRole(
  tx: ControlTransaction,
  scope: Scope,
  { user }: Member,
  role: AccountRole,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('user_id', '=', user.id)
    .where('account_id', '=', scope.ownerId)
    .execute();
}

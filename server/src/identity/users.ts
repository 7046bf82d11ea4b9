import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import type { Account } from './caller.ts';
import type { Directory } from './directory.ts';
import { keepAdministrator, lockOrganization } from './last-administrator.ts';
import { type AccountRole, isOrganizationRole, type OrganizationRole, type Role } from './roles.ts';
import { emailPattern, userRow } from './user-row.ts';

export interface UserSummary {
  readonly email: string;
  readonly enabled: boolean;
  readonly organizationRole: string | null;
  readonly accounts: readonly { readonly name: string; readonly role: string }[];
}

export interface Grant {
  readonly email: string;
  readonly role: Role;
  readonly account?: string;
}

export class Users {
  readonly #store: ControlStore;
  readonly #directory: Directory;
  readonly #clock: Clock;

  constructor(store: ControlStore, directory: Directory, clock: Clock) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
  }

  async list(): Promise<UserSummary[]> {
    const users = await this.#store.read
      .selectFrom('users')
      .select(['id', 'email', 'enabled', 'organization_role as organizationRole'])
      .orderBy('email')
      .execute();
    const memberships = await this.#store.read
      .selectFrom('memberships')
      .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
      .select(['memberships.user_id as userId', 'accounts.name', 'memberships.role'])
      .orderBy('accounts.name')
      .execute();
    return users.map(({ id, email, enabled, organizationRole }) => ({
      email,
      enabled: enabled === 1,
      organizationRole,
      accounts: memberships.filter(({ userId }) => userId === id).map(({ name, role }) => ({ name, role })),
    }));
  }

  /** Creates the user if needed and sets the role in the organization or in one account. */
  async grant(email: string, role: Role, accountName?: string): Promise<Grant> {
    if (!new RegExp(emailPattern).test(email)) {
      throw new Refusal(
        'INVALID_INPUT',
        `${quoted(email)} is not an e-mail address: write name@example.com.`,
      );
    }
    const name = email.toLowerCase();
    const organization = await this.#directory.organization();
    if (!isOrganizationRole(role)) {
      const account = await this.#directory.account(accountName ?? organization.name);
      await this.#grantInAccount(name, role, account, organization);
      return { email: name, role, account: account.name };
    }
    if (accountName) {
      throw new Refusal('INVALID_INPUT', `${role} is a role of the organization: omit the account.`);
    }
    await this.#grantInOrganization(name, role, organization);
    return { email: name, role };
  }

  async delete(email: string): Promise<void> {
    const user = await this.#directory.user(email);
    const organization = await this.#directory.organization();
    await this.#store.transaction(this.#directory.actor('User Deleted', organization), async (tx, act) => {
      await keepAdministrator(tx, organization.id, () =>
        tx.deleteFrom('users').where('id', '=', user.id).execute(),
      );
      act.describe(`${user.email} with all API keys and tokens`);
    });
  }

  async #grantInOrganization(email: string, role: OrganizationRole, organization: Account): Promise<void> {
    await this.#store.transaction(
      this.#directory.actor('User Role Granted', organization),
      async (tx, act) => {
        const userId = await this.#findOrCreate(tx, email, organization);
        await keepAdministrator(tx, organization.id, () =>
          tx.updateTable('users').set({ organization_role: role }).where('id', '=', userId).execute(),
        );
        act.describe(`${email} is ${role}`);
      },
    );
  }

  async #grantInAccount(
    email: string,
    role: AccountRole,
    account: Account,
    organization: Account,
  ): Promise<void> {
    await this.#store.transaction(this.#directory.actor('User Role Granted', account), async (tx, act) => {
      const userId = await this.#findOrCreate(tx, email, organization);
      await tx
        .insertInto('memberships')
        .values({ user_id: userId, account_id: account.id, role })
        .onConflict((conflict) => conflict.columns(['user_id', 'account_id']).doUpdateSet({ role }))
        .execute();
      act.describe(`${email} is ${role} in ${account.name}`);
    });
  }

  async #findOrCreate(tx: ControlTransaction, email: string, organization: Account): Promise<string> {
    await lockOrganization(tx, organization.id);
    const updated_by = this.#directory.userName;
    await tx
      .insertInto('users')
      .values(userRow(organization, this.#clock.now(), { email, updated_by }))
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute();
    const user = await tx
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return user.id;
  }
}

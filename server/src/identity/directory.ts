import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/store.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import type { Account } from './caller.ts';

/** Looks up organizations, accounts and users by name, and creates the actors of audited changes. */
export class Directory {
  readonly #store: ControlStore;
  /** User name in the audit log. */
  readonly userName: string;

  constructor(store: ControlStore, userName: string) {
    this.#store = store;
    this.userName = userName;
  }

  async organization(): Promise<Account> {
    const organization = await this.#store.read
      .selectFrom('organizations')
      .select(['id', 'name'])
      .executeTakeFirst();
    if (!organization)
      throw new Refusal(
        'CONFLICT',
        'The service has not been started with this data directory: run `npm start` once first.',
      );
    return organization;
  }

  async account(name: string): Promise<Account & { organizationId: string }> {
    const account = await this.#store.read
      .selectFrom('accounts')
      .select(['id', 'name', 'organization_id as organizationId'])
      .where('name', '=', name.toLowerCase())
      .executeTakeFirst();
    if (!account)
      throw new Refusal(
        'NOT_FOUND',
        `Not found: account ${quoted(name)}. \`vedette account list\` lists the accounts.`,
      );
    return account;
  }

  async user(email: string): Promise<{ id: string; email: string; organizationRole: string | null }> {
    const user = await this.#store.read
      .selectFrom('users')
      .select(['id', 'email', 'organization_role as organizationRole'])
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst();
    if (!user)
      throw new Refusal(
        'NOT_FOUND',
        `Not found: user ${quoted(email)}. \`vedette user list\` lists the users.`,
      );
    return user;
  }

  /** The first administrator of the organization. */
  async administrator(): Promise<string> {
    const { email } = await this.#store.read
      .selectFrom('users')
      .select('email')
      .orderBy((order) => order.case().when('organization_role', '=', 'orgAdmin').then(0).else(1).end())
      .orderBy('created_at')
      .executeTakeFirstOrThrow();
    return email;
  }

  actor(act: string, owner: Account): Actor {
    return { userName: this.userName, ownerId: owner.id, accountName: owner.name, act };
  }
}

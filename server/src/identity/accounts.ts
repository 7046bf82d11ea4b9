import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { isAccountName } from '../platform/configuration.ts';
import { Refusal } from '../platform/errors.ts';
import { newGuid } from '../platform/ids.ts';
import { quoted } from '../platform/quoted.ts';
import type { Account } from './caller.ts';
import type { Directory } from './directory.ts';
import { lockOrganization } from './last-administrator.ts';

export const accountDeleted = 'account.deleted';

/** An account or organization being created. */
export interface NewOwner extends Account {
  readonly isOrganization: boolean;
  /** Default recipient of e-mails. */
  readonly administrator: string;
  readonly createdAt: number;
}

/** Creates the initial objects of a new owner in the transaction that creates it. */
export type InitializeOwner = (tx: ControlTransaction, owner: NewOwner) => Promise<void>;

export class Accounts {
  readonly #store: ControlStore;
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #initializeOwner: InitializeOwner;

  constructor(store: ControlStore, directory: Directory, clock: Clock, initializeOwner: InitializeOwner) {
    this.#store = store;
    this.#directory = directory;
    this.#clock = clock;
    this.#initializeOwner = initializeOwner;
  }

  async list(): Promise<{ name: string; createdAt: number }[]> {
    return this.#store.read
      .selectFrom('accounts')
      .select(['name', 'created_at as createdAt'])
      .orderBy('name')
      .execute();
  }

  async create(name: string): Promise<Account> {
    if (!isAccountName(name)) {
      throw new Refusal(
        'INVALID_INPUT',
        `${quoted(name)} is not an account name: use lower-case letters, digits and hyphens.`,
      );
    }
    const organization = await this.#directory.organization();
    const account = { id: newGuid(name), name };
    await this.#store.transaction(this.#directory.actor('Account Created', organization), async (tx, act) => {
      const createdAt = this.#clock.now();
      const row = { ...account, organization_id: organization.id, created_at: createdAt };
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('accounts')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirstOrThrow();
      if (!numInsertedOrUpdatedRows)
        throw new Refusal('CONFLICT', `The account '${name}' already exists: choose another name.`);
      const administrator = await this.#directory.administrator();
      await this.#initializeOwner(tx, { ...account, isOrganization: false, administrator, createdAt });
      act.describe(`account ${name}`);
    });
    return account;
  }

  /** Access ends with the commit; the outbox then purges the data of the account. */
  async delete(name: string): Promise<void> {
    const organization = await this.#directory.organization();
    const account = await this.#directory.account(name);
    if (account.name === organization.name) {
      throw new Refusal(
        'CONFLICT',
        `'${name}' is the primary account of the organization and can not be deleted.`,
      );
    }
    await this.#store.transaction(this.#directory.actor('Account Deleted', organization), async (tx, act) => {
      await lockOrganization(tx, organization.id);
      const members = tx.selectFrom('memberships').select('user_id').where('account_id', '=', account.id);
      const otherMembers = tx
        .selectFrom('memberships')
        .select('user_id')
        .where('account_id', '!=', account.id);
      await tx
        .deleteFrom('users')
        .where('organization_role', 'is', null)
        .where('id', 'in', members)
        .where('id', 'not in', otherMembers)
        .execute();
      await tx.deleteFrom('accounts').where('id', '=', account.id).execute();
      await act.publish(accountDeleted, account.id, { accountId: account.id });
      act.describe(`account ${account.name} with its users' access and its data`);
    });
  }
}

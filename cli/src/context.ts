import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { AgentTokens } from '@vedette/server/agents/agent-tokens';
import { dialectOf, sqliteFile } from '@vedette/server/control/connect';
import { openKeyring } from '@vedette/server/control/secret-key';
import { ControlStore } from '@vedette/server/control/store';
import { causeOf, StoreUnavailable } from '@vedette/server/control/store-failure';
import { Exports } from '@vedette/server/delivery/export/exports';
import { Accounts } from '@vedette/server/identity/accounts';
import { Directory } from '@vedette/server/identity/directory';
import { Keys } from '@vedette/server/identity/keys';
import { Users } from '@vedette/server/identity/users';
import { addDefaultRecords } from '@vedette/server/modules/default-records';
import { systemClock } from '@vedette/server/platform/clock';
import { controlUrlOf, readConfiguration } from '@vedette/server/platform/configuration';
import { UsageError } from './usage-error.ts';

export interface Services {
  readonly directory: Directory;
  readonly accounts: Accounts;
  readonly users: Users;
  readonly keys: Keys;
  readonly exports: Exports;
}

/** Gives commands access to the control store of the server, opened on first use. */
export class CommandContext {
  readonly dataDirectory: string;
  readonly controlUrl: string;
  /** Default grace period of a token rotation, in days. */
  readonly tokenGraceDays: number;
  readonly #secretKeys: readonly string[] | undefined;
  #store: ControlStore | undefined;

  constructor(environment: NodeJS.ProcessEnv) {
    const { configuration } = readConfiguration(environment);
    this.dataDirectory = configuration.VEDETTE_DATA_DIR;
    this.controlUrl = controlUrlOf(configuration);
    this.tokenGraceDays = configuration.VEDETTE_TOKEN_GRACE_DAYS;
    this.#secretKeys = configuration.VEDETTE_SECRET_KEY;
  }

  /** Read when it is needed: in a container, the user may have no name. */
  get operator(): string {
    return `${userInfo().username}@${hostname()}`;
  }

  async open(): Promise<Services> {
    const store = await this.#open();
    const directory = new Directory(store, this.operator);
    return {
      directory,
      accounts: new Accounts(store, directory, systemClock, addDefaultRecords),
      users: new Users(store, directory, systemClock),
      keys: new Keys(store, directory, systemClock),
      exports: new Exports(store, systemClock),
    };
  }

  /** Separate from open(), because it needs the secret key. */
  async agentTokens(): Promise<AgentTokens> {
    const store = await this.#open();
    const keyring = await openKeyring(store, this.dataDirectory, this.#secretKeys);
    return new AgentTokens(store, keyring, systemClock);
  }

  async close(): Promise<void> {
    await this.#store?.close();
  }

  async #open(): Promise<ControlStore> {
    const url = this.controlUrl;
    if (dialectOf(url) === 'sqlite' && !existsSync(sqliteFile(url))) {
      throw new UsageError(
        `There is no service in ${this.dataDirectory}: run \`npm start\` there first, or set VEDETTE_DATA_DIR.`,
      );
    }
    this.#store ??= await ControlStore.open(url, systemClock).catch((error: Error) => {
      throw new UsageError(
        `The control store can not be opened (${error instanceof StoreUnavailable ? causeOf(error) : error.message}): check VEDETTE_CONTROL_URL.`,
      );
    });
    return this.#store;
  }
}

import { join } from 'node:path';
import { ControlStore } from '../control/store.ts';
import { Accounts } from '../identity/accounts.ts';
import { type KeyFile, readKeyFile } from '../identity/bootstrap.ts';
import { Directory } from '../identity/directory.ts';
import { Keys } from '../identity/keys.ts';
import type { Role } from '../identity/roles.ts';
import { SignInLinks } from '../identity/sign-in-links.ts';
import { Users } from '../identity/users.ts';
import { type Service, startService } from '../main.ts';
import { addDefaultRecords } from '../modules/default-records.ts';
import { readConfiguration } from '../platform/configuration.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from './clock.ts';
import { createTestPlace, type TestPlace, testDialect } from './database.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, if it is JSON. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface RequestOptions {
  readonly token?: string | undefined;
  /** Value of a session, sent as a page of the console does. */
  readonly session?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The real service on a free port with a separate store, and the administration classes. */
export class TestService {
  readonly place: TestPlace;
  readonly clock: ManualClock;
  readonly store: ControlStore;
  readonly accounts: Accounts;
  readonly users: Users;
  readonly keys: Keys;
  readonly links: SignInLinks;
  readonly logLines: string[];
  readonly #environment: Readonly<Record<string, string>>;
  #service: Service;

  private constructor(
    place: TestPlace,
    clock: ManualClock,
    store: ControlStore,
    service: Service,
    logLines: string[],
    environment: Readonly<Record<string, string>>,
  ) {
    this.place = place;
    this.clock = clock;
    this.store = store;
    this.logLines = logLines;
    this.#service = service;
    this.#environment = environment;
    const directory = new Directory(store, 'tester@example.com');
    this.accounts = new Accounts(store, directory, clock, addDefaultRecords);
    this.users = new Users(store, directory, clock);
    this.keys = new Keys(store, directory, clock);
    this.links = new SignInLinks(store, clock);
  }

  static async start(
    environment: Readonly<Record<string, string>> = {},
    dialect = testDialect,
  ): Promise<TestService> {
    const place = await createTestPlace(dialect, { hasTables: true });
    const [clock, logLines] = [new ManualClock(), [] as string[]];
    const all = {
      VEDETTE_PORT: '0',
      VEDETTE_DATA_DIR: place.directory,
      VEDETTE_CONTROL_URL: place.controlUrl,
      ...environment,
    };
    const service = await run(all, clock, logLines);
    const store = await ControlStore.open(place.controlUrl, clock);
    return new TestService(place, clock, store, service, logLines, all);
  }

  get url(): string {
    return this.#service.localUrl;
  }

  get routes(): Service['routes'] {
    return this.#service.routes;
  }

  get firstKey(): KeyFile {
    return readKeyFile(join(this.place.directory, 'api-key.json')) as KeyFile;
  }

  async request(
    method: string,
    path: string,
    { token, session, body, headers }: RequestOptions = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(session !== undefined && {
          cookie: `__Host-vedette=${session}`,
          'sec-fetch-site': 'same-origin',
        }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }

  /** A token of the given key, by default of the bootstrap key. */
  async token(key: { keyId: string; secret: string } = this.firstKey, expiryTime = 3600): Promise<string> {
    const response = await this.request('POST', '/api/v2/access/tokens', {
      headers: { 'X-LW-UAKS': key.secret },
      body: { keyId: key.keyId, expiryTime },
    });
    if (response.status !== 201) throw new Error(`no token: ${response.text}`);
    return response.body.token;
  }

  /** Signs in to the console with a new link, by default as the first administrator, and returns the session's value. */
  async signIn(email?: string): Promise<string> {
    const { url } = await this.links.create(new Directory(this.store, 'tester@example.com'), this.url, email);
    const response = await this.request('POST', '/session/link', {
      headers: { origin: this.url },
      body: { code: new URL(url).hash.slice(1) },
    });
    if (response.status !== 200) throw new Error(`not signed in: ${response.text}`);
    return sessionOf(response) as string;
  }

  /** Creates a user with a role and an API key. */
  async member(email: string, role: Role, account?: string): Promise<{ keyId: string; secret: string }> {
    await this.users.grant(email, role, account);
    return this.keys.create(email, account ? { account } : {});
  }

  async restart(): Promise<void> {
    await this.#service.stop();
    this.#service = await run(this.#environment, this.clock, this.logLines);
  }

  async stop(): Promise<void> {
    await this.#service.stop();
    await this.store.close();
    await this.place.remove();
  }
}

/** The session that a response sets; empty if it deletes the cookie. */
export function sessionOf({ headers }: Pick<Answer, 'headers'>): string | undefined {
  return /^__Host-vedette=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1];
}

function run(
  environment: Readonly<Record<string, string>>,
  clock: ManualClock,
  logLines: string[],
): Promise<Service> {
  const { configuration } = readConfiguration({ VEDETTE_LOG_LEVEL: 'trace', ...environment });
  const log = createLog(configuration.VEDETTE_LOG_LEVEL, {
    write: (line: string) => void logLines.push(line),
  });
  return startService({ configuration, clock, log });
}

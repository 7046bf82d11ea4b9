import { accessRoutes } from '../features/access/routes.ts';
import { contractInfoRoutes } from '../features/ContractInfo/routes.ts';
import { organizationInfoRoutes } from '../features/OrganizationInfo/routes.ts';
import { sessionRoutes } from '../features/session/routes.ts';
import { userProfileRoutes } from '../features/UserProfile/routes.ts';
import { bootstrap, readKeyFile, recordAddress } from '../identity/bootstrap.ts';
import { Callers } from '../identity/callers.ts';
import { Directory } from '../identity/directory.ts';
import { type OrganizationHost, organizationHost } from '../identity/organization-host.ts';
import { PasswordHasher } from '../identity/password-hash.ts';
import { Passwords } from '../identity/passwords.ts';
import { SessionCallers } from '../identity/session-callers.ts';
import { sessionRateLimit } from '../identity/session-limits.ts';
import { Sessions } from '../identity/sessions.ts';
import { type NewLink, SignInLinks } from '../identity/sign-in-links.ts';
import { Tokens } from '../identity/tokens.ts';
import { keyFileOf } from '../platform/configuration.ts';
import type { ControlStoreModule } from './control-store.ts';
import { addDefaultRecords } from './default-records.ts';
import { hour, type Module, type ModuleContext } from './module.ts';

export interface IdentityModule extends Module {
  readonly callers: Callers;
  readonly sessions: SessionCallers;
  readonly hostOf: OrganizationHost;
  /** Keeps the address in the key file up to date. */
  recordAddress(url: string): void;
  /** Whether the API key in the key file is valid; after a restore it may not be. */
  acceptsKeyFile(): Promise<boolean>;
  /** Whether any user can sign in to the console without a link. */
  hasPassword(): Promise<boolean>;
  /** Creates a sign-in link, by default for the first administrator. `userName`: who created it. */
  createLink(userName: string, email?: string): Promise<NewLink>;
}

export async function identityModule(
  { configuration, clock, address }: ModuleContext,
  { control }: { readonly control: ControlStoreModule },
): Promise<IdentityModule> {
  const { store } = control;
  await bootstrap(store, clock, configuration.VEDETTE_ACCOUNT, keyFileOf(configuration), addDefaultRecords);
  const callers = new Callers(store, clock);
  const tokens = new Tokens(store, callers, clock);
  const rateLimit = configuration.VEDETTE_RATE_LIMIT === 'off' ? undefined : sessionRateLimit;
  const sessionCallers = new SessionCallers(store, clock, rateLimit);
  const sessions = new Sessions(store, clock);
  const links = new SignInLinks(store, clock);
  const passwords = new Passwords(store, clock, new PasswordHasher());
  const hostOf = organizationHost(configuration.VEDETTE_PUBLIC_URL);
  return {
    callers,
    sessions: sessionCallers,
    hostOf,
    recordAddress: (url) => recordAddress(keyFileOf(configuration), url),
    async acceptsKeyFile() {
      const key = readKeyFile(keyFileOf(configuration));
      return key !== undefined && (await tokens.verify(key.keyId, key.secret)).caller !== undefined;
    },
    hasPassword: () => passwords.exist(),
    createLink: (userName, email) => links.create(new Directory(store, userName), address(), email),
    routes: [
      ...accessRoutes({ tokens }),
      ...sessionRoutes({ store, sessions, callers: sessionCallers, links, passwords }),
      ...contractInfoRoutes({ store, retentionDays: configuration.VEDETTE_RETENTION_DAYS }),
      ...organizationInfoRoutes({ hostOf }),
      ...userProfileRoutes({ hostOf }),
    ],
    jobs: [
      { name: 'expired tokens', milliseconds: hour, run: () => tokens.deleteExpired() },
      { name: 'ended sessions', milliseconds: hour, run: () => sessions.deleteEnded() },
      { name: 'expired sign-in links', milliseconds: hour, run: () => links.deleteExpired() },
    ],
  };
}

import { accessRoutes } from '../features/access/routes.ts';
import { contractInfoRoutes } from '../features/ContractInfo/routes.ts';
import { organizationInfoRoutes } from '../features/OrganizationInfo/routes.ts';
import { userProfileRoutes } from '../features/UserProfile/routes.ts';
import { bootstrap, readKeyFile, recordAddress } from '../identity/bootstrap.ts';
import { Callers } from '../identity/callers.ts';
import { type OrganizationHost, organizationHost } from '../identity/organization-host.ts';
import { Tokens } from '../identity/tokens.ts';
import { keyFileOf } from '../platform/configuration.ts';
import type { ControlStoreModule } from './control-store.ts';
import { addDefaultRecords } from './default-records.ts';
import { hour, type Module, type ModuleContext } from './module.ts';

export interface IdentityModule extends Module {
  readonly callers: Callers;
  readonly hostOf: OrganizationHost;
  /** Keeps the address in the key file up to date. */
  recordAddress(url: string): void;
  /** Whether the API key in the key file is valid; after a restore it may not be. */
  acceptsKeyFile(): Promise<boolean>;
}

export async function identityModule(
  { configuration, clock }: ModuleContext,
  { control }: { readonly control: ControlStoreModule },
): Promise<IdentityModule> {
  const { store } = control;
  await bootstrap(store, clock, configuration.VEDETTE_ACCOUNT, keyFileOf(configuration), addDefaultRecords);
  const callers = new Callers(store, clock);
  const tokens = new Tokens(store, callers, clock);
  const hostOf = organizationHost(configuration.VEDETTE_PUBLIC_URL);
  return {
    callers,
    hostOf,
    recordAddress: (url) => recordAddress(keyFileOf(configuration), url),
    async acceptsKeyFile() {
      const key = readKeyFile(keyFileOf(configuration));
      return key !== undefined && (await tokens.verify(key.keyId, key.secret)).caller !== undefined;
    },
    routes: [
      ...accessRoutes({ tokens }),
      ...contractInfoRoutes({ store, retentionDays: configuration.VEDETTE_RETENTION_DAYS }),
      ...organizationInfoRoutes({ hostOf }),
      ...userProfileRoutes({ hostOf }),
    ],
    jobs: [{ name: 'expired tokens', milliseconds: hour, run: () => tokens.deleteExpired() }],
  };
}

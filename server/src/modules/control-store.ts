import { DiskReserve } from '../control/disk-reserve.ts';
import { openExamined } from '../control/examined-store.ts';
import { purgeOwner } from '../control/purge.ts';
import { openKeyring } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import { accountDeleted } from '../identity/accounts.ts';
import { controlUrlOf } from '../platform/configuration.ts';
import type { Keyring } from '../platform/keyring.ts';
import { nodeIdOf } from '../platform/node-id.ts';
import { holdsTelemetry, telemetryDirectoryOf } from '../telemetry/stored-telemetry.ts';
import type { Module, ModuleContext } from './module.ts';

export interface ControlStoreModule extends Module {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  /** Identifies the telemetry of this data directory among several nodes. */
  readonly place: string;
  /** Stops writes from using the disk reserve. */
  keepReserve(): void;
}

export async function controlStoreModule({
  configuration,
  clock,
}: ModuleContext): Promise<ControlStoreModule> {
  const directory = configuration.VEDETTE_DATA_DIR;
  const reserve = DiskReserve.of(controlUrlOf(configuration), clock);
  const telemetry = telemetryDirectoryOf(directory);
  const store = await openExamined(controlUrlOf(configuration), clock, {
    telemetry: holdsTelemetry(telemetry) ? telemetry : undefined,
    mayBeEmpty: configuration.VEDETTE_START_EMPTY,
  });
  return {
    store,
    keyring: await openKeyring(store, directory, configuration.VEDETTE_SECRET_KEY),
    place: nodeIdOf(directory, store.dialect === 'postgres'),
    keepReserve: () => {
      if (reserve) store.keepReserve(reserve);
    },
    outbox: {
      [accountDeleted]: ({ accountId }: { accountId: string }) => purgeOwner(store, accountId),
    },
    readiness: [{ name: 'control store', check: () => readinessOf(store) }],
    close: () => store.close(),
  };
}

async function readinessOf(store: ControlStore): Promise<string | undefined> {
  await store.ping();
  return store.isDiskFull
    ? 'The disk of the control store is full: sign-in and reads work, changes are refused.'
    : undefined;
}

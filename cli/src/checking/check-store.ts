import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import { ControlStore } from '@vedette/server/control/store';
import { systemClock } from '@vedette/server/platform/clock';
import { Keyring } from '@vedette/server/platform/keyring';
import { createLog } from '@vedette/server/platform/log';
import { Telemetry } from '@vedette/server/telemetry/telemetry';
import { TemporaryPath } from '../temporary-path.ts';
import { CheckSink } from './check-sink.ts';

/** The store has one account only. */
export const checkAccount = 'CHECK';
/** The memory of a process with Node and the engine stays below a gigabyte. */
const memory = '384MB';
const maxThreads = 4;
const searchSeconds = 600;

/** A store of its own for one check: no server and no data directory are needed, and nothing is left. */
export class CheckStore {
  readonly telemetry: Telemetry;
  /** Where a collection sends its snapshots. */
  readonly sink: SnapshotSink;
  readonly #control: ControlStore;
  readonly #directory: TemporaryPath;

  private constructor(directory: TemporaryPath, control: ControlStore, telemetry: Telemetry) {
    this.#directory = directory;
    this.#control = control;
    this.telemetry = telemetry;
    this.sink = new CheckSink(telemetry, checkAccount);
  }

  static async open(): Promise<CheckStore> {
    const directory = TemporaryPath.directory('vedette-check-');
    const clock = systemClock;
    const control = await ControlStore.open(`sqlite:${join(directory.path, 'control.db')}`, clock);
    const telemetry = await Telemetry.open({
      directory: join(directory.path, 'telemetry'),
      limits: { memory, threads: Math.min(availableParallelism(), maxThreads) },
      ...{ store: control, keyring: new Keyring([Keyring.newMaterial()]), diskCap: undefined },
      ...{ clock, log: createLog('silent'), searchSeconds },
    });
    return new CheckStore(directory, control, telemetry);
  }

  async close(): Promise<void> {
    try {
      await this.telemetry.close();
      await this.#control.close();
    } finally {
      this.#directory.remove();
    }
  }
}

import { join } from 'node:path';
import { ControlStore } from '../control/store.ts';
import { Keyring } from '../platform/keyring.ts';
import { createLog } from '../platform/log.ts';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { Telemetry, type TelemetryDeps } from '../telemetry/telemetry.ts';
import { ManualClock } from './clock.ts';
import { createTestPlace, type TestPlace } from './database.ts';

export type TelemetryOptions = Partial<Pick<TelemetryDeps, 'limits' | 'searchSeconds' | 'maxPageRows'>>;

/** The telemetry store in a temporary directory, without an HTTP server. */
export class TestTelemetry {
  readonly clock: ManualClock;
  readonly #place: TestPlace;
  readonly #deps: TelemetryDeps;
  telemetry: Telemetry;

  private constructor(place: TestPlace, clock: ManualClock, deps: TelemetryDeps, telemetry: Telemetry) {
    this.#place = place;
    this.clock = clock;
    this.#deps = deps;
    this.telemetry = telemetry;
  }

  static async start(options: TelemetryOptions = {}): Promise<TestTelemetry> {
    const place = await createTestPlace();
    const clock = new ManualClock();
    const deps = {
      directory: join(place.directory, 'telemetry'),
      limits: { memory: '256MB', threads: 2 },
      store: await ControlStore.open(place.controlUrl, clock),
      keyring: new Keyring([Keyring.newMaterial()]),
      diskCap: undefined,
      clock,
      log: createLog('silent'),
      searchSeconds: 60,
      ...options,
    };
    return new TestTelemetry(place, clock, deps, await Telemetry.open(deps));
  }

  get store(): ControlStore {
    return this.#deps.store;
  }

  get keyring(): Keyring {
    return this.#deps.keyring;
  }

  async restart(options: TelemetryOptions = {}): Promise<void> {
    await this.telemetry.close();
    this.telemetry = await Telemetry.open({ ...this.#deps, ...options });
  }

  async take(dataset: TelemetryDataset, account: string, records: readonly object[]): Promise<void> {
    const body = records.map((record) => JSON.stringify(record)).join('\n');
    await this.telemetry.intake.ingest({ account, dataset, form: 'lines', body, idempotencyKey: undefined });
  }

  async stop(): Promise<void> {
    await this.telemetry.close();
    await this.#deps.store.close();
    await this.#place.remove();
  }
}

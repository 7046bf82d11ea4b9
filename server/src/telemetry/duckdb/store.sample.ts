import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { Engine } from './engine.ts';
import { type Page, Reader } from './reader.ts';
import type { Wanted } from './scope.ts';
import { Segments } from './segments.ts';
import { Upkeep } from './upkeep.ts';
import { Writer } from './writer.ts';

/** A store in a directory that goes away, with all its parts at hand. */
export class SampleStore {
  readonly directory = mkdtempSync(join(tmpdir(), 'vedette-telemetry-'));
  readonly days = join(this.directory, 'days');
  readonly clock: Clock;
  readonly #datasets: readonly TelemetryDataset[];
  engine!: Engine;
  segments!: Segments;
  writer!: Writer;
  reader!: Reader;
  upkeep!: Upkeep;

  private constructor(clock: Clock, datasets: readonly TelemetryDataset[]) {
    this.clock = clock;
    this.#datasets = datasets;
  }

  static async open(clock: Clock, ...datasets: readonly TelemetryDataset[]): Promise<SampleStore> {
    const store = new SampleStore(clock, datasets);
    await store.#open();
    return store;
  }

  /** As after a restart. */
  async reopen(): Promise<void> {
    this.engine.close();
    await this.#open();
  }

  close(): void {
    this.engine.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  files(): string[] {
    return readdirSync(this.days)
      .filter((name) => !name.endsWith('.wal'))
      .sort();
  }

  async count(wanted: Wanted): Promise<number> {
    return (await this.reader.first(wanted, 1)).total;
  }

  /** The pages of a search, one after the other. */
  async *pages(wanted: Wanted, rows: number): AsyncGenerator<Page> {
    let page: Page = await this.reader.first(wanted, rows);
    while (page.last) {
      yield page;
      page = await this.reader.next(wanted, page.last, rows);
    }
  }

  async #open(): Promise<void> {
    this.engine = await Engine.open(this.directory, { memory: '256MB', threads: 2 });
    this.segments = await Segments.open(this.engine, this.days, this.#datasets);
    this.writer = new Writer(this.engine, this.segments, this.clock);
    this.reader = new Reader(this.engine, this.segments);
    this.upkeep = new Upkeep(this);
  }
}

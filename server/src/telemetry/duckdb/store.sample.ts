import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { createLog, type Log } from '../../platform/log.ts';
import type { TelemetryDataset } from '../dataset.ts';
import type { Space } from '../file-system.ts';
import type { Page } from '../page.ts';
import type { RecordSearch } from '../record-search.ts';
import { DiskBudget } from './disk/disk-budget.ts';
import { Spill } from './disk/spill.ts';
import { Engine } from './engine/engine.ts';
import { newStatements } from './engine/statements.ts';
import { Inventory } from './inventory/inventory.ts';
import { Upkeep } from './maintenance/upkeep.ts';
import { Querying } from './query/querying.ts';
import { Reader } from './read/reader.ts';
import { Damage } from './recovery/damage.ts';
import { Recovery } from './recovery/recovery.ts';
import { Segments } from './segments/segments.ts';
import { Writer } from './write/writer.ts';

export const hour = 3_600_000;
export const noon = Date.parse('2026-03-01T12:00:00.000Z');
export const iso = (instant: number) => new Date(instant).toISOString();

/** A connection of one hour; its port is odd. */
export const connection = (start: number, rest = '') =>
  `{"startTime":"${iso(start)}","endTime":"${iso(start + hour)}","srcEntityType":"Process",` +
  `"srcEntityId":{"mid":9223372036854775807,"pid_hash":-9223372036854775808},"dstEntityType":"ServerPort",` +
  `"dstEntityId":{"port":"odd","protocol":"TCP"},"srcInBytes":1,"srcOutBytes":2,"dstInBytes":2,"dstOutBytes":1,` +
  `"numConns":1${rest}}`;

/** What a disk is like, which is never full unless a test says so. */
export interface SampleDisk {
  readonly cap?: number;
  readonly setAside?: number;
  readonly spillCap?: number;
  /** Of the engine, as DuckDB writes it. */
  readonly memory?: string;
  readonly space?: () => Promise<Space>;
}

/** A store in a directory that goes away, with all its parts at hand. */
export class SampleStore {
  readonly directory: string;
  readonly days: string;
  readonly clock: Clock;
  readonly logLines: string[] = [];
  readonly #log: Log = createLog('info', { write: (line: string) => void this.logLines.push(line) });
  datasets: readonly TelemetryDataset[];
  disk: SampleDisk = {};
  engine!: Engine;
  segments!: Segments;
  inventory!: Inventory;
  recovery!: Recovery;
  budget!: DiskBudget;
  spill!: Spill;
  damage!: Damage;
  writer!: Writer;
  reader!: Reader;
  querying!: Querying;
  upkeep!: Upkeep;

  private constructor(clock: Clock, datasets: readonly TelemetryDataset[], directory: string) {
    this.clock = clock;
    this.datasets = datasets;
    this.directory = directory;
    this.days = join(directory, 'days');
  }

  static async open(clock: Clock, ...datasets: readonly TelemetryDataset[]): Promise<SampleStore> {
    return SampleStore.openAt(mkdtempSync(join(tmpdir(), 'vedette-telemetry-')), clock, ...datasets);
  }

  /** One that another process had open. */
  static async openAt(
    directory: string,
    clock: Clock,
    ...datasets: readonly TelemetryDataset[]
  ): Promise<SampleStore> {
    const store = new SampleStore(clock, datasets, directory);
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

  async count(wanted: RecordSearch): Promise<number> {
    return (await this.recovery.search(() => this.reader.first(wanted, 1))).total;
  }

  /** The pages of a search, one after the other. */
  async *pages(wanted: RecordSearch, rows: number): AsyncGenerator<Page> {
    let page: Page = await this.reader.first(wanted, rows);
    while (page.last) {
      yield page;
      page = await this.reader.next(wanted, page.last, rows);
    }
  }

  async #open(): Promise<void> {
    const { memory = '256MB', spillCap = 4e9 } = this.disk;
    this.engine = await Engine.open(this.directory, { memory, threads: 2, spill: spillCap });
    this.segments = await Segments.open(this.engine, this.days, this.datasets);
    const statements = newStatements();
    this.inventory = await Inventory.open(this.engine, this.days, statements);
    this.recovery = new Recovery(this.engine, this.segments, this.inventory, this.#log);
    const { cap, setAside = 0, space = async () => ({ size: 1e12, free: 1e12 }) } = this.disk;
    this.budget = new DiskBudget({
      segments: this.segments,
      clock: this.clock,
      log: this.#log,
      cap,
      setAside,
      space,
      onSpend: () => this.spill.adjust(),
    });
    this.spill = new Spill({
      engine: this.engine,
      cap: spillCap,
      freeSpace: () => this.budget.freeSpace(),
      onLeft: () => void this.upkeep.clearSpill(),
    });
    this.damage = new Damage({ engine: this.engine, segments: this.segments, statements, log: this.#log });
    this.writer = new Writer(this);
    this.reader = new Reader(this.engine, this.segments, statements, this.damage);
    this.querying = new Querying({ ...this, statements });
    this.upkeep = new Upkeep(this);
  }
}

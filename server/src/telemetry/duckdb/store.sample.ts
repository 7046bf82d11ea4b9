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
import { newStatementQueue } from './engine/statements.ts';
import { Inventory } from './inventory/inventory.ts';
import { Maintenance } from './maintenance/maintenance.ts';
import { QueryExecutor } from './query/query-executor.ts';
import { Reader } from './read/reader.ts';
import { Damage } from './recovery/damage.ts';
import { Recovery } from './recovery/recovery.ts';
import { Segments } from './segments/segments.ts';
import { Writer } from './write/writer.ts';

export const hour = 3_600_000;
export const noon = Date.parse('2026-03-01T12:00:00.000Z');
export const iso = (instant: number) => new Date(instant).toISOString();

/** A connection of one hour with a mistyped port. */
export const connection = (start: number, rest = '') =>
  `{"startTime":"${iso(start)}","endTime":"${iso(start + hour)}","srcEntityType":"Process",` +
  `"srcEntityId":{"mid":9223372036854775807,"pid_hash":-9223372036854775808},"dstEntityType":"ServerPort",` +
  `"dstEntityId":{"port":"odd","protocol":"TCP"},"srcInBytes":1,"srcOutBytes":2,"dstInBytes":2,"dstOutBytes":1,` +
  `"numConns":1${rest}}`;

/** Disk limits; never full unless a test sets them. */
export interface SampleDisk {
  readonly cap?: number;
  readonly spillReserve?: number;
  readonly spillCap?: number;
  /** Memory limit of the engine, in DuckDB's notation. */
  readonly memory?: string;
  readonly space?: () => Promise<Space>;
}

/** A store in a temporary directory, with access to its components. */
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
  querying!: QueryExecutor;
  maintenance!: Maintenance;

  private constructor(clock: Clock, datasets: readonly TelemetryDataset[], directory: string) {
    this.clock = clock;
    this.datasets = datasets;
    this.directory = directory;
    this.days = join(directory, 'days');
  }

  static async open(clock: Clock, ...datasets: readonly TelemetryDataset[]): Promise<SampleStore> {
    return SampleStore.openAt(mkdtempSync(join(tmpdir(), 'vedette-telemetry-')), clock, ...datasets);
  }

  /** Opens a store that another process used. */
  static async openAt(
    directory: string,
    clock: Clock,
    ...datasets: readonly TelemetryDataset[]
  ): Promise<SampleStore> {
    const store = new SampleStore(clock, datasets, directory);
    await store.#open();
    return store;
  }

  /** Simulates a restart. */
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

  async count(search: RecordSearch): Promise<number> {
    return (await this.recovery.search(() => this.reader.first(search, 1))).total;
  }

  /** The pages of a search in order. */
  async *pages(search: RecordSearch, rows: number): AsyncGenerator<Page> {
    let page: Page = await this.reader.first(search, rows);
    while (page.last) {
      yield page;
      page = await this.reader.next(search, page.last, rows);
    }
  }

  async #open(): Promise<void> {
    const { memory = '256MB', spillCap = 4e9 } = this.disk;
    this.engine = await Engine.open(this.directory, { memory, threads: 2, spill: spillCap });
    this.segments = await Segments.open(this.engine, this.days, this.datasets);
    const statements = newStatementQueue();
    this.inventory = await Inventory.open(this.engine, this.days, statements);
    this.recovery = new Recovery(this.engine, this.segments, this.inventory, this.#log);
    const { cap, spillReserve = 0, space = async () => ({ size: 1e12, free: 1e12 }) } = this.disk;
    this.budget = new DiskBudget({
      segments: this.segments,
      clock: this.clock,
      log: this.#log,
      cap,
      spillReserve,
      space,
      onSpend: () => this.spill.adjust(),
    });
    this.spill = new Spill({
      engine: this.engine,
      cap: spillCap,
      freeSpace: () => this.budget.freeSpace(),
      onLeftover: () => void this.maintenance.clearSpill(),
    });
    this.damage = new Damage({ engine: this.engine, segments: this.segments, statements, log: this.#log });
    this.writer = new Writer(this);
    this.reader = new Reader(this.engine, this.segments, statements, this.damage);
    this.querying = new QueryExecutor({ ...this, statements });
    this.maintenance = new Maintenance(this);
  }
}

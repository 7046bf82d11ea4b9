import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import { datasets } from '../../datasets.ts';
import type { BackupBatch, BackupEntry, ReplacementStore, UndeclaredMember } from '../../store.ts';
import { Engine, type EngineLimits } from '../engine/engine.ts';
import { systemTenant } from '../engine/statements.ts';
import { Inventory } from '../inventory/inventory.ts';
import { insertBatches } from '../segments/batches-table.ts';
import type { Segment } from '../segments/segment.ts';
import { Segments } from '../segments/segments.ts';
import { batchParameters, createTableSql, insertRestoredSql } from '../segments/table-sql.ts';
import { refuseUnreadable } from '../write/unreadable-records.ts';
import { type DayEntry, InventoryLoader } from './inventory-loader.ts';
import { completeReplacement, daysOfReplacement, replacementDirectory } from './restore-swap.ts';

export interface LoaderDeps {
  /** The telemetry directory. */
  readonly directory: string;
  readonly limits: EngineLimits;
  readonly statements: FairQueue;
  /** Refuses the write if it would use the disk reserve. */
  readonly spend: (bytes: number) => Promise<void>;
}

type Records = Extract<BackupEntry, { readonly text: Uint8Array }>;

/** Entries buffered for one transaction: small batches written alone would take four times as long. */
interface EntryBuffer {
  readonly day: string;
  readonly undeclaredMembers: UndeclaredMember[];
  readonly batches: BackupBatch[];
  readonly records: Records[];
  bytes: number;
}

/** Disk used per byte of JSON: the JSON itself and the typed columns. */
const growth = 2;
const bytesAtOnce = 16 * 1024 * 1024;
const countAtOnce = 5_000;

const declared = new Map(datasets.map((dataset) => [dataset.path, dataset]));

/** Fills a separate directory with a separate engine, while the current store keeps serving. */
export class Loader implements ReplacementStore {
  readonly id: string;
  readonly #directory: string;
  readonly #engine: Engine;
  readonly #segments: Segments;
  readonly #statements: FairQueue;
  readonly #inventory: Inventory;
  readonly #inventoryLoader: InventoryLoader;
  readonly #spend: LoaderDeps['spend'];
  #buffer: EntryBuffer = emptyBuffer('');
  #isClosed = false;

  private constructor(
    id: string,
    directory: string,
    engine: Engine,
    segments: Segments,
    inventory: Inventory,
    { statements, spend }: LoaderDeps,
  ) {
    this.id = id;
    this.#directory = directory;
    this.#engine = engine;
    this.#segments = segments;
    this.#inventory = inventory;
    this.#statements = statements;
    this.#spend = spend;
    this.#inventoryLoader = new InventoryLoader(inventory, (bytes) => spend(growth * bytes));
  }

  static async open(id: string, deps: LoaderDeps): Promise<Loader> {
    const { directory: telemetry, limits, statements } = deps;
    const directory = replacementDirectory(telemetry, id);
    mkdirSync(directory, { mode: 0o700 });
    const engine = await Engine.open(directory, limits);
    const segments = await Segments.open(engine, daysOfReplacement(directory), []);
    const inventory = await Inventory.open(engine, daysOfReplacement(directory), statements);
    return new Loader(id, directory, engine, segments, inventory, deps);
  }

  async add(entry: BackupEntry): Promise<void> {
    if (isOfDay(entry)) return this.#addToDay(entry);
    await this.#inventoryLoader.add(entry);
  }

  async #addToDay(entry: DayEntry): Promise<void> {
    const { day } = 'batch' in entry ? entry.batch : 'further' in entry ? entry.further : entry.records;
    const { records, batches, undeclaredMembers, bytes } = this.#buffer;
    const count = records.length + batches.length + undeclaredMembers.length;
    const isFull = bytes >= bytesAtOnce || count >= countAtOnce;
    if (day !== this.#buffer.day || isFull) await this.#flush(day);
    if ('batch' in entry) this.#buffer.batches.push(entry.batch);
    else if ('further' in entry) this.#buffer.undeclaredMembers.push(entry.further);
    else {
      this.#buffer.records.push(entry);
      this.#buffer.bytes += entry.text.length;
    }
  }

  async ready(): Promise<void> {
    await this.#inventoryLoader.ready();
    await this.#flush('');
    await this.#checkpoint();
    this.#close();
    completeReplacement(this.#directory, this.id);
  }

  async discard(): Promise<void> {
    if (!this.#isClosed) await this.#checkpoint().catch(() => undefined);
    this.#close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Closing would checkpoint too, but block the event loop meanwhile. */
  async #checkpoint(): Promise<void> {
    await this.#inventory.checkpoint();
    for (const segment of this.#segments.all()) await this.#segments.checkpoint(segment);
  }

  #close(): void {
    if (!this.#isClosed) this.#engine.close();
    this.#isClosed = true;
  }

  async #flush(next: string): Promise<void> {
    const buffer = this.#buffer;
    this.#buffer = emptyBuffer(next);
    if (buffer.day === '') return;
    await this.#spend(growth * buffer.bytes);
    const segment = await this.#segments.current(Date.parse(buffer.day));
    await this.#statements.run(systemTenant, () =>
      this.#engine.use(async (connection) => {
        await connection.run('begin');
        await insertUndeclaredMembers(connection, segment, buffer.undeclaredMembers);
        await insertBatches(connection, segment, buffer.batches);
        for (const path of new Set(buffer.records.map(({ records }) => records.dataset))) {
          const some = buffer.records.filter(({ records }) => records.dataset === path);
          await insertRecords(connection, segment, declared.get(path), some).catch(refuseUnreadable);
        }
        await connection.run('commit');
      }),
    );
  }
}

function isOfDay(entry: BackupEntry): entry is DayEntry {
  return 'batch' in entry || 'further' in entry || 'records' in entry;
}

function emptyBuffer(day: string): EntryBuffer {
  return { day, undeclaredMembers: [], batches: [], records: [], bytes: 0 };
}

async function insertRecords(
  connection: DuckDBConnection,
  segment: Segment,
  dataset: TelemetryDataset | undefined,
  all: readonly Records[],
): Promise<void> {
  if (!dataset) throw new Error('the backup contains records of an undeclared dataset');
  await connection.run(createTableSql(segment, dataset));
  const batches = all.map(({ records: { account, seq }, text }) => ({
    account,
    seq,
    joinedRecords: decodeUtf8(text),
  }));
  const { values, types } = batchParameters(batches);
  await connection.run(insertRestoredSql(dataset, segment.table(dataset.path)), values, types);
}

async function insertUndeclaredMembers(
  connection: DuckDBConnection,
  segment: Segment,
  members: readonly UndeclaredMember[],
): Promise<void> {
  await connection.run(
    `insert into ${segment.table('further_members')} select unnest($accounts), unnest($datasets), unnest($names)`,
    {
      accounts: listValue(members.map(({ account }) => account)),
      datasets: listValue(members.map(({ dataset }) => dataset)),
      names: listValue(members.map(({ name }) => name)),
    },
    { accounts: LIST(VARCHAR), datasets: LIST(VARCHAR), names: LIST(VARCHAR) },
  );
}

function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

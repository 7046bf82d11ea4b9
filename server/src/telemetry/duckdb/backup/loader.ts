import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import { datasets } from '../../datasets.ts';
import type { ResourceVersion } from '../../resource.ts';
import type { BackupBatch, BackupEntry, ReplacementStore, UndeclaredMember } from '../../store.ts';
import { Engine, type EngineLimits } from '../engine/engine.ts';
import { systemTenant } from '../engine/statements.ts';
import { Inventory } from '../inventory/inventory.ts';
import { insertBatches } from '../segments/batches-table.ts';
import type { Segment } from '../segments/segment.ts';
import { Segments } from '../segments/segments.ts';
import { batchParameters, createTableSql, insertRestoredSql } from '../segments/table-sql.ts';
import { refuseUnreadable } from '../write/unreadable-records.ts';
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
interface Waiting {
  readonly day: string;
  readonly further: UndeclaredMember[];
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
  readonly #spend: LoaderDeps['spend'];
  readonly #resources: ResourceVersion[] = [];
  #resourceBytes = 0;
  #waiting: Waiting = nothing('');
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

  async add(kept: BackupEntry): Promise<void> {
    if ('resource' in kept) return this.#addResource(kept.resource);
    const { day } = 'batch' in kept ? kept.batch : 'further' in kept ? kept.further : kept.records;
    const { records, batches, further, bytes } = this.#waiting;
    const isFull = bytes >= bytesAtOnce || records.length + batches.length + further.length >= countAtOnce;
    if (day !== this.#waiting.day || isFull) await this.#flush(day);
    if ('batch' in kept) this.#waiting.batches.push(kept.batch);
    else if ('further' in kept) this.#waiting.further.push(kept.further);
    else {
      this.#waiting.records.push(kept);
      this.#waiting.bytes += kept.text.length;
    }
  }

  async ready(): Promise<void> {
    await this.#flushResources();
    await this.#inventory.loaded();
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

  async #addResource(resource: ResourceVersion): Promise<void> {
    this.#resources.push(resource);
    this.#resourceBytes += resource.config.length;
    if (this.#resourceBytes >= bytesAtOnce || this.#resources.length >= countAtOnce)
      await this.#flushResources();
  }

  async #flushResources(): Promise<void> {
    const some = this.#resources.splice(0);
    await this.#spend(growth * this.#resourceBytes);
    this.#resourceBytes = 0;
    if (some.length > 0) await this.#inventory.load(some);
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
    const waiting = this.#waiting;
    this.#waiting = nothing(next);
    if (waiting.day === '') return;
    await this.#spend(growth * waiting.bytes);
    const segment = await this.#segments.current(Date.parse(waiting.day));
    await this.#statements.run(systemTenant, () =>
      this.#engine.use(async (connection) => {
        await connection.run('begin');
        await insertUndeclaredMembers(connection, segment, waiting.further);
        await insertBatches(connection, segment, waiting.batches);
        for (const path of new Set(waiting.records.map(({ records }) => records.dataset))) {
          const some = waiting.records.filter(({ records }) => records.dataset === path);
          await insertRecords(connection, segment, declared.get(path), some).catch(refuseUnreadable);
        }
        await connection.run('commit');
      }),
    );
  }
}

function nothing(day: string): Waiting {
  return { day, further: [], batches: [], records: [], bytes: 0 };
}

async function insertRecords(
  connection: DuckDBConnection,
  segment: Segment,
  dataset: TelemetryDataset | undefined,
  all: readonly Records[],
): Promise<void> {
  if (!dataset) throw new Error('the backup contains records of an undeclared dataset');
  await connection.run(createTableSql(segment, dataset));
  const batches = all.map(({ records: { account, seq }, text }) => ({ account, seq, text: textOf(text) }));
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

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

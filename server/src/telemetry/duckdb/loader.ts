import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { BIGINT, type DuckDBConnection, INTEGER, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import { datasets } from '../datasets.ts';
import type { FurtherMember, KeptBatch, Successor } from '../store.ts';
import { Engine, type EngineLimits } from './engine.ts';
import { createTableSql, type Segment, Segments } from './segments.ts';
import { completeSuccessor, daysOfSuccessor, successorDirectory } from './succession.ts';
import { insertManySql } from './table-sql.ts';
import { refuseUnreadable } from './writer.ts';

/** Together in one transaction: small batches alone would take four times as long, and most are of one dataset. */
const bytesAtOnce = 16 * 1024 * 1024;
const batchesAtOnce = 5_000;

const declared = new Map(datasets.map((dataset) => [dataset.path, dataset]));

/** Fills a directory of its own, with an engine of its own, while the one beside it goes on serving. */
export class Loader implements Successor {
  readonly id: string;
  readonly #directory: string;
  readonly #engine: Engine;
  readonly #segments: Segments;
  #batches: KeptBatch[] = [];
  #bytes = 0;
  readonly #further: FurtherMember[] = [];
  #day: string | undefined;
  #isClosed = false;

  private constructor(id: string, directory: string, engine: Engine, segments: Segments) {
    this.id = id;
    this.#directory = directory;
    this.#engine = engine;
    this.#segments = segments;
  }

  static async open(id: string, telemetry: string, limits: EngineLimits): Promise<Loader> {
    const directory = successorDirectory(telemetry, id);
    mkdirSync(directory, { mode: 0o700 });
    const engine = await Engine.open(directory, limits);
    return new Loader(id, directory, engine, await Segments.open(engine, daysOfSuccessor(directory), []));
  }

  async add(batch: KeptBatch): Promise<void> {
    const day = new Date(batch.received).toISOString().slice(0, 10);
    const isFull = this.#bytes + batch.text.length > bytesAtOnce || this.#batches.length >= batchesAtOnce;
    if (day !== this.#day || isFull) await this.#flush();
    this.#day = day;
    this.#batches.push(batch);
    this.#bytes += batch.text.length;
  }

  addFurther(member: FurtherMember): void {
    this.#further.push(member);
  }

  async ready(): Promise<void> {
    await this.#flush();
    for (const day of new Set(this.#further.map(({ day }) => day))) await this.#insertFurther(day);
    await this.#segments.checkpoint();
    this.#close();
    completeSuccessor(this.#directory, this.id);
  }

  async discard(): Promise<void> {
    // Closing would do it too, but hold up everything else meanwhile.
    if (!this.#isClosed) await this.#segments.checkpoint().catch(() => {});
    this.#close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #insertFurther(day: string): Promise<void> {
    const segment = await this.#segments.ofToday(Date.parse(day));
    const members = this.#further.filter((member) => member.day === day);
    await this.#engine.use((connection) =>
      connection.run(
        `insert into ${segment.table('further_members')} select unnest($accounts), unnest($datasets), unnest($names)`,
        {
          accounts: listValue(members.map(({ account }) => account)),
          datasets: listValue(members.map(({ dataset }) => dataset)),
          names: listValue(members.map(({ name }) => name)),
        },
        { accounts: LIST(VARCHAR), datasets: LIST(VARCHAR), names: LIST(VARCHAR) },
      ),
    );
  }

  #close(): void {
    if (!this.#isClosed) this.#engine.close();
    this.#isClosed = true;
  }

  async #flush(): Promise<void> {
    const [first] = this.#batches;
    if (!first) return;
    const batches = this.#batches;
    [this.#batches, this.#bytes] = [[], 0];
    const segment = await this.#segments.ofToday(first.received);
    await this.#engine.use(async (connection) => {
      await connection.run('begin');
      for (const path of new Set(batches.map(({ dataset }) => dataset))) {
        await insertRecords(
          connection,
          segment,
          path,
          batches.filter(({ dataset }) => dataset === path),
        ).catch(refuseUnreadable);
      }
      await insertBatches(connection, segment, batches);
      await connection.run('commit');
    });
  }
}

async function insertRecords(
  connection: DuckDBConnection,
  segment: Segment,
  path: string,
  batches: readonly KeptBatch[],
): Promise<void> {
  const dataset = declared.get(path);
  if (!dataset) throw new Error(`there is no dataset ${path}`);
  await connection.run(createTableSql(segment, dataset));
  await connection.run(
    insertManySql(dataset, segment.table(path)),
    {
      accounts: listValue(batches.map(({ account }) => account)),
      seqs: listValue(batches.map(({ seq }) => BigInt(seq))),
      texts: listValue(batches.map(({ text }) => textOf(text))),
    },
    { accounts: LIST(VARCHAR), seqs: LIST(BIGINT), texts: LIST(VARCHAR) },
  );
}

async function insertBatches(
  connection: DuckDBConnection,
  segment: Segment,
  batches: readonly KeptBatch[],
): Promise<void> {
  // A key has at least one character.
  await connection.run(
    `insert into ${segment.table('batches')} select unnest($seqs), unnest($accounts), unnest($datasets),
      nullif(unnest($keys), ''), unnest($records), unnest($received)`,
    {
      seqs: listValue(batches.map(({ seq }) => BigInt(seq))),
      accounts: listValue(batches.map(({ account }) => account)),
      datasets: listValue(batches.map(({ dataset }) => dataset)),
      keys: listValue(batches.map(({ idempotencyKey = '' }) => idempotencyKey)),
      records: listValue(batches.map(({ records }) => records)),
      received: listValue(batches.map(({ received }) => BigInt(received))),
    },
    {
      ...{ seqs: LIST(BIGINT), accounts: LIST(VARCHAR), datasets: LIST(VARCHAR), keys: LIST(VARCHAR) },
      ...{ records: LIST(INTEGER), received: LIST(BIGINT) },
    },
  );
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

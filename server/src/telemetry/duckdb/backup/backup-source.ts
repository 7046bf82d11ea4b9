import type { DuckDBBlobValue } from '@duckdb/node-api';
import { recordSeparator } from '../../record-strings.ts';
import type { BackupBatch, BackupEntry, BackupRecords, BackupSource } from '../../store.ts';
import { systemTenant } from '../engine/statements.ts';
import { BatchReader, portions } from '../read/batch-reader.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';
import { InventoryBackup, type InventoryBackupDeps } from './inventory-backup.ts';
import { PostureBackup } from './posture-backup.ts';

export interface BackupSourceDeps extends InventoryBackupDeps {
  readonly segments: Segments;
}

const batchesAtOnce = 5_000;
/** Limits per query: they bound the memory that reading takes. */
const recordsAtOnce = 100_000;
const bytesAtOnce = 16 * 1024 * 1024;
const separator = `chr(${recordSeparator.charCodeAt(0)})`;

/** The stored data of some accounts up to one batch; batches committed later have higher sequence numbers. */
export class DuckBackupSource implements BackupSource {
  batches = 0;
  records = 0;
  resources = 0;
  evaluations = 0;
  readonly #reading: BatchReader;
  readonly #accounts: ReadonlySet<string>;
  readonly #upTo: number;
  readonly #inventory: InventoryBackup;
  readonly #posture: PostureBackup;
  readonly #days: readonly {
    readonly segment: Segment;
    readonly undeclaredMembers: readonly BackupEntry[];
  }[];

  private constructor(deps: BackupSourceDeps, accounts: ReadonlySet<string>, posture: PostureBackup) {
    this.#reading = new BatchReader(deps, systemTenant);
    this.#accounts = accounts;
    this.#upTo = deps.segments.lastSequence;
    this.#inventory = new InventoryBackup(deps, accounts);
    this.#posture = posture;
    this.#days = deps.segments.all().map((segment) => ({
      segment,
      undeclaredMembers: segment.allUndeclaredMembers
        .filter(({ account }) => accounts.has(account))
        .map((member) => ({ further: member })),
    }));
  }

  static async now(deps: BackupSourceDeps, accounts: ReadonlySet<string>): Promise<DuckBackupSource> {
    // Evaluations first, so that they cover no later resources than the backup has.
    const posture = await PostureBackup.now(deps, accounts);
    const holdings = new DuckBackupSource(deps, accounts, posture);
    holdings.resources = await holdings.#inventory.count();
    holdings.evaluations = await posture.count();
    for (const { segment } of holdings.#days) {
      holdings.batches += await holdings.#count(segment.table('batches'));
      for (const path of segment.spans.keys()) holdings.records += await holdings.#count(segment.table(path));
    }
    return holdings;
  }

  async *read(): AsyncGenerator<BackupEntry> {
    for await (const resource of this.#inventory.read()) yield { resource };
    for await (const attempt of this.#inventory.attempts()) yield { attempt };
    for await (const scope of this.#inventory.scopes()) yield { scope };
    for await (const evaluation of this.#posture.evaluations()) yield { evaluation };
    for await (const place of this.#posture.places()) yield { place };
    for await (const lastEvaluation of this.#posture.lastEvaluations()) yield { lastEvaluation };
    for await (const run of this.#posture.runs()) yield { run };
    for (const { segment, undeclaredMembers } of this.#days) {
      yield* undeclaredMembers;
      for await (const batches of this.#paged((after) => this.#batches(segment, after)))
        yield* batches.map((batch) => ({ batch }));
      for (const path of segment.spans.keys()) {
        for await (const some of this.#paged((after) => this.#numbers(segment, path, after)))
          yield* this.#recordStrings(segment.table(path), some);
      }
    }
  }

  /** Reads page by page, by sequence number, and leaves out other accounts. */
  async *#paged<Row extends { readonly account: string; readonly seq: number }>(
    readPage: (after: number) => Promise<Row[]>,
  ): AsyncGenerator<Row[]> {
    let page = await readPage(0);
    for (let last = page.at(-1); last; last = page.at(-1)) {
      yield page.filter(({ account }) => this.#accounts.has(account));
      page = await readPage(last.seq);
    }
  }

  async *#recordStrings(table: string, all: readonly BackupRecords[]): AsyncGenerator<BackupEntry> {
    for (const some of portions(all, ({ records }) => records, recordsAtOnce)) {
      const sizes = await this.#ofEach(table, some, 'sum(strlen(doc))::bigint');
      for (const few of portions(some, ({ seq }) => Number(sizes.get(seq)), bytesAtOnce)) {
        const strings = await this.#ofEach(table, few, `encode(string_agg(doc, ${separator} order by n))`);
        for (const records of few)
          yield { records, text: (strings.get(records.seq) as DuckDBBlobValue).bytes };
      }
    }
  }

  async #batches(segment: Segment, after: number): Promise<BackupBatch[]> {
    const rows = await this.#reading.rows(
      `select * from ${segment.table('batches')} where seq > $after and seq <= $upTo
        order by seq limit ${batchesAtOnce}`,
      { after, upTo: this.#upTo },
    );
    return rows.map((row) => ({
      day: segment.day,
      account: String(row.account),
      dataset: String(row.dataset),
      seq: Number(row.seq),
      received: Number(row.received),
      ...(row.idempotency_key !== null && { key: String(row.idempotency_key) }),
      ...(row.body_digest !== null && { digest: String(row.body_digest) }),
      records: Number(row.records),
    }));
  }

  /** The batches with records in the table, and their record counts. */
  async #numbers(segment: Segment, dataset: string, after: number): Promise<BackupRecords[]> {
    const rows = await this.#reading.rows(
      `select seq, account, count(*) as records from ${segment.table(dataset)}
        where seq > $after and seq <= $upTo group by seq, account order by seq limit ${batchesAtOnce}`,
      { after, upTo: this.#upTo },
    );
    return rows.map(({ seq, account, records }) => ({
      ...{ day: segment.day, account: String(account), dataset },
      ...{ seq: Number(seq), records: Number(records) },
    }));
  }

  async #count(table: string): Promise<number> {
    const rows = await this.#reading.rows(
      `select account, count(*) as count from ${table} where seq <= $upTo group by account`,
      { upTo: this.#upTo },
    );
    return rows
      .filter(({ account }) => this.#accounts.has(String(account)))
      .reduce((sum, { count }) => sum + Number(count), 0);
  }

  /** An aggregate over the records of each batch, by sequence number. */
  async #ofEach(table: string, some: readonly BackupRecords[], value: string): Promise<Map<number, unknown>> {
    const numbers = some.map(({ seq }) => seq);
    const rows = await this.#reading.ofBatches(table, numbers, `seq, ${value} as value`);
    return new Map(rows.map(({ seq, value }) => [Number(seq), value]));
  }
}

import { BIGINT, type DuckDBBlobValue, LIST, listValue } from '@duckdb/node-api';
import { recordSeparator } from '../record-texts.ts';
import type { FurtherMember, Holdings, KeptBatch } from '../store.ts';
import type { Engine } from './engine.ts';
import type { Segment, Segments } from './segments.ts';

type BatchRow = Omit<KeptBatch, 'text'>;

/** Rows of batches that are looked up at once. */
const batchesAtOnce = 5_000;
/** Records that are measured at once, and bytes of them that are read at once: that much is in memory. */
const recordsAtOnce = 100_000;
const bytesAtOnce = 16 * 1024 * 1024;
const separator = `chr(${recordSeparator.charCodeAt(0)})`;

/** What the segments hold of some accounts up to one batch. */
export class DuckHoldings implements Holdings {
  readonly batches: number;
  readonly records: number;
  readonly further: readonly FurtherMember[];
  readonly #engine: Engine;
  readonly #segments: readonly Segment[];
  readonly #accounts: ReadonlySet<string>;
  readonly #upTo: number;

  private constructor(
    engine: Engine,
    moment: Pick<DuckHoldings, 'batches' | 'records' | 'further'>,
    segments: readonly Segment[],
    accounts: ReadonlySet<string>,
    upTo: number,
  ) {
    this.batches = moment.batches;
    this.records = moment.records;
    this.further = moment.further;
    this.#engine = engine;
    this.#segments = segments;
    this.#accounts = accounts;
    this.#upTo = upTo;
  }

  static async now(engine: Engine, all: Segments, accounts: ReadonlySet<string>): Promise<DuckHoldings> {
    // The moment: what is committed later has a greater number.
    const [upTo, segments] = [all.lastSequence, all.all()];
    const further = segments
      .flatMap(({ allFurther }) => allFurther)
      .filter(({ account }) => accounts.has(account));
    let [batches, records] = [0, 0];
    for (const segment of segments) {
      const counts = await rowsOf(
        engine,
        `select account, count(*) as batches, sum(records)::bigint as records from ${segment.table('batches')}
          where seq <= ${upTo} group by account`,
      );
      for (const row of counts.filter(({ account }) => accounts.has(String(account)))) {
        batches += Number(row.batches);
        records += Number(row.records);
      }
    }
    return new DuckHoldings(engine, { batches, records, further }, segments, accounts, upTo);
  }

  async *read(): AsyncGenerator<KeptBatch> {
    for (const segment of this.#segments) {
      for (const dataset of await this.#datasetsIn(segment)) {
        for (let last: number | undefined = 0; last !== undefined; ) {
          const found: BatchRow[] = await this.#batchesAfter(segment, dataset, last);
          yield* this.#whole(
            segment,
            dataset,
            found.filter(({ account }) => this.#accounts.has(account)),
          );
          last = found.at(-1)?.seq;
        }
      }
    }
  }

  async *#whole(segment: Segment, dataset: string, batches: readonly BatchRow[]): AsyncGenerator<KeptBatch> {
    const table = segment.table(dataset);
    for (const some of portions(batches, ({ records }) => records, recordsAtOnce)) {
      const sizes = await this.#ofEach(table, some, 'sum(strlen(doc))::bigint');
      for (const few of portions(some, ({ seq }) => Number(sizes.get(seq)?.value ?? 0), bytesAtOnce)) {
        const texts = await this.#ofEach(table, few, `encode(string_agg(doc, ${separator} order by n))`);
        for (const batch of few) {
          const found = texts.get(batch.seq);
          if (found?.records !== batch.records)
            throw new Error(`batch ${batch.seq} of ${segment.day} has lost records`);
          yield { ...batch, text: (found.value as DuckDBBlobValue).bytes };
        }
      }
    }
  }

  async #datasetsIn(segment: Segment): Promise<string[]> {
    const rows = await rowsOf(
      this.#engine,
      `select distinct dataset from ${segment.table('batches')} where seq <= ${this.#upTo} order by dataset`,
    );
    return rows.map(({ dataset }) => String(dataset));
  }

  async #batchesAfter(segment: Segment, dataset: string, after: number): Promise<BatchRow[]> {
    const rows = await rowsOf(
      this.#engine,
      `select * from ${segment.table('batches')}
        where dataset = $dataset and seq > ${after} and seq <= ${this.#upTo} order by seq limit ${batchesAtOnce}`,
      { dataset },
    );
    return rows.map((row) => ({
      seq: Number(row.seq),
      account: String(row.account),
      dataset,
      received: Number(row.received),
      idempotencyKey: row.idempotency_key === null ? undefined : String(row.idempotency_key),
      records: Number(row.records),
    }));
  }

  /** Something about the records of each batch, by its number. The limits let the engine skip most of a table. */
  async #ofEach(table: string, batches: readonly BatchRow[], value: string) {
    const numbers = batches.map(({ seq }) => BigInt(seq));
    const result = await this.#engine.use((connection) =>
      connection.runAndReadAll(
        `select seq, count(*) as records, ${value} as value from ${table}
          where seq between ${numbers[0]} and ${numbers.at(-1)} and seq in (select unnest($numbers)) group by seq`,
        { numbers: listValue(numbers) },
        { numbers: LIST(BIGINT) },
      ),
    );
    return new Map(
      result
        .getRowObjects()
        .map(({ seq, records, value }) => [Number(seq), { records: Number(records), value }] as const),
    );
  }
}

async function rowsOf(engine: Engine, sql: string, values: Record<string, string> = {}) {
  const result = await engine.use((connection) => connection.runAndReadAll(sql, values));
  return result.getRowObjects();
}

/** The batches in their order, as many together as fit; one that is larger goes alone. */
function* portions<Item>(items: readonly Item[], sizeOf: (item: Item) => number, most: number) {
  let portion: Item[] = [];
  let size = 0;
  for (const item of items) {
    const more = sizeOf(item);
    if (portion.length > 0 && size + more > most) {
      yield portion;
      [portion, size] = [[], 0];
    }
    portion.push(item);
    size += more;
  }
  if (portion.length > 0) yield portion;
}

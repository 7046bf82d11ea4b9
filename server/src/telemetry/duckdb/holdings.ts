import { BIGINT, type DuckDBBlobValue } from '@duckdb/node-api';
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
          where seq <= $upTo group by account`,
        { upTo },
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
      for (let after = 0; ; ) {
        const found = await this.#batchesAfter(segment, after);
        const wanted = found.filter(({ account }) => this.#accounts.has(account));
        for (const some of portions(wanted, ({ records }) => records, recordsAtOnce)) {
          const sizes = await this.#ofEach(segment, some, 'sum(strlen(doc))::bigint');
          for (const few of portions(some, ({ seq }) => Number(sizes.get(seq)?.value ?? 0), bytesAtOnce))
            yield* this.#whole(segment, few);
        }
        const last = found.at(-1);
        if (!last) break;
        after = last.seq;
      }
    }
  }

  async *#whole(segment: Segment, batches: readonly BatchRow[]): AsyncGenerator<KeptBatch> {
    const separator = `chr(${recordSeparator.charCodeAt(0)})`;
    const texts = await this.#ofEach(segment, batches, `encode(string_agg(doc, ${separator} order by n))`);
    for (const batch of batches) {
      const found = texts.get(batch.seq);
      if (found?.records !== batch.records)
        throw new Error(`batch ${batch.seq} of ${segment.day} has lost records`);
      yield { ...batch, text: (found.value as DuckDBBlobValue).bytes };
    }
  }

  async #batchesAfter(segment: Segment, after: number): Promise<BatchRow[]> {
    const rows = await rowsOf(
      this.#engine,
      `select * from ${segment.table('batches')} where seq > $after and seq <= $upTo
        order by seq limit ${batchesAtOnce}`,
      { after, upTo: this.#upTo },
    );
    return rows.map((row) => ({
      seq: Number(row.seq),
      account: String(row.account),
      dataset: String(row.dataset),
      received: Number(row.received),
      idempotencyKey: row.idempotency_key === null ? undefined : String(row.idempotency_key),
      records: Number(row.records),
    }));
  }

  /** Something about the records of each batch, by its number; one statement for each dataset. */
  async #ofEach(segment: Segment, batches: readonly BatchRow[], value: string) {
    const found = new Map<number, { records: number; value: unknown }>();
    for (const path of new Set(batches.map(({ dataset }) => dataset))) {
      const numbers = batches.filter(({ dataset }) => dataset === path).map(({ seq }) => seq);
      const rows = await rowsOf(
        this.#engine,
        `select seq, count(*) as records, ${value} as value from ${segment.table(path)}
          where seq between $first and $last group by seq`,
        { first: numbers[0] as number, last: numbers.at(-1) as number },
      );
      for (const { seq, records, value } of rows) found.set(Number(seq), { records: Number(records), value });
    }
    return found;
  }
}

async function rowsOf(engine: Engine, sql: string, numbers: Readonly<Record<string, number>>) {
  const entries = Object.entries(numbers);
  const result = await engine.use((connection) =>
    connection.runAndReadAll(
      sql,
      Object.fromEntries(entries.map(([name, value]) => [name, BigInt(value)])),
      Object.fromEntries(entries.map(([name]) => [name, BIGINT])),
    ),
  );
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

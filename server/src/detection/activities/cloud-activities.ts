import { createHash } from 'node:crypto';
import type { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import { FairWorkers } from '../../platform/fair-workers.ts';
import type { Log } from '../../platform/log.ts';
import type { QueryLanguage } from '../../querying/language.ts';
import type { QueryRunner, Run } from '../../querying/runner.ts';
import { cloudActivities } from '../../telemetry/datasets/CloudActivities.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { rowsOf } from '../evaluation/row.ts';
import { Activity, activityKeyOf } from './activity.ts';
import { activityQuery, eventOf } from './activity-query.ts';
import type { ActivityStream } from './activity-stream.ts';
import { trailStream } from './trail-stream.ts';
import { TriggeredRules, type TriggeredRulesDeps } from './triggered-rules.ts';

type SummaryRow = Tables['activity_summaries'];

export interface CloudActivitiesDeps extends Pick<TriggeredRulesDeps, 'pack'> {
  readonly store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Pick<Telemetry, 'lastBatch' | 'intake'>;
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly place: string;
  /** CloudTrail unless given. */
  readonly stream?: ActivityStream;
  /** Memory limit in activities; lower in tests. */
  readonly maxActivities?: number;
}

/** Upper bounds of one run. */
interface RunBounds {
  readonly through: number;
  readonly sequence: number;
}

const hour = 3_600_000;
/** Milliseconds after the hour for events that arrive late. */
const gracePeriod = 5 * 60_000;
const leaseLength = 600_000;
/** Concurrent accounts. */
const accountLimit = { capacity: 2, reserve: 1 };
const defaultMaxActivities = 20_000;
const recordsAtOnce = 1_000;

/**
 * Aggregates cloud events: one record per hour, call and caller, written after the hour. Late events make another
 * record. A run is stored before it starts and its batches have fixed idempotency keys, so a repeated run stores each
 * record once.
 */
export class CloudActivities {
  readonly #deps: CloudActivitiesDeps;
  readonly #stopping = new AbortController();
  readonly #workers: FairWorkers<SummaryRow>;
  /** Accounts not processed since the last tick. */
  readonly #waiting = new Map<string, SummaryRow>();
  readonly #busy = new Set<string>();
  readonly #stream: ActivityStream;

  constructor(deps: CloudActivitiesDeps) {
    this.#deps = deps;
    this.#stream = deps.stream ?? trailStream;
    this.#workers = new FairWorkers({
      limits: accountLimit,
      accounts: async () => this.#waiting.keys(),
      take: async (account) => {
        const row = this.#waiting.get(account);
        this.#waiting.delete(account);
        return row;
      },
      work: async (row) => {
        this.#busy.add(row.owner_id);
        await this.#sumUp(row).finally(() => this.#busy.delete(row.owner_id));
      },
      failed: (error) => deps.log.error({ error: String(error) }, 'cloud activities could not be aggregated'),
    });
  }

  /** Aborts running work; the next start repeats it. */
  stop(): void {
    this.#stopping.abort(new Error('The service stops.'));
    this.#workers.stop();
  }

  /** Starts aggregating all complete hours; a slow or failing account does not delay others. */
  async poll(): Promise<void> {
    const { store } = this.#deps;
    const accounts = await store.read.selectFrom('accounts').select('id').execute();
    const rows = await this.#rows();
    for (const { id } of accounts)
      if (!this.#busy.has(id)) this.#waiting.set(id, rows.get(id) ?? (await this.#begin(id)));
    await this.#workers.poll();
  }

  /** Aggregates all complete hours. */
  async tick(): Promise<void> {
    await this.poll();
    await this.settled();
  }

  /** Resolves when no aggregation is running. */
  settled(): Promise<void> {
    return this.#workers.settled();
  }

  get running(): number {
    return this.#workers.running;
  }

  async #rows(): Promise<Map<string, SummaryRow>> {
    const { store, place } = this.#deps;
    const rows = await store.read
      .selectFrom('activity_summaries')
      .selectAll()
      .where('place', '=', place)
      .where('stream', '=', this.#stream.dataset.path)
      .execute();
    return new Map(rows.map((row) => [row.owner_id, row]));
  }

  /** Starts at the current hour: earlier events are not aggregated. */
  async #begin(account: string): Promise<SummaryRow> {
    const { store, clock, telemetry, place } = this.#deps;
    const stream = this.#stream.dataset.path;
    const sequence = await telemetry.lastBatch(account, stream);
    const row: SummaryRow = {
      ...{ owner_id: account, place, stream, leased_until: 0, sequence, run: null },
      through: Math.floor(clock.now() / hour) * hour,
      is_ahead: sequence > 0 ? 1 : 0,
    };
    await store.housekeeping((tx) =>
      tx
        .insertInto('activity_summaries')
        .values(row)
        .onConflict((conflict) => conflict.columns(['owner_id', 'place', 'stream']).doNothing())
        .execute(),
    );
    return row;
  }

  async #sumUp(seen: SummaryRow): Promise<void> {
    const { clock, telemetry } = this.#deps;
    const now = clock.now();
    const last = await telemetry.lastBatch(seen.owner_id, this.#stream.dataset.path);
    // Retention or a restore removed the last processed batch.
    if (last < seen.sequence && seen.run === null) {
      await this.#update(unchanged(seen), { sequence: last });
      return;
    }
    const through = Math.floor((now - gracePeriod) / hour) * hour;
    const hasNews = last > seen.sequence || seen.is_ahead === 1;
    if (seen.leased_until > now || (seen.run === null && (through <= seen.through || !hasNews))) return;
    const reach = seen.run === null ? { through, sequence: last } : (JSON.parse(seen.run) as RunBounds);
    const leased = { leased_until: now + leaseLength, run: JSON.stringify(reach) };
    if (!(await this.#update(unchanged(seen), leased))) return;
    const isAhead = await this.#write(seen, reach);
    await this.#update(
      { owner_id: seen.owner_id },
      { ...reach, is_ahead: isAhead ? 1 : 0, run: null, leased_until: 0 },
    );
  }

  /** False if another node was first. */
  async #update(
    { run, ...seen }: Pick<SummaryRow, 'owner_id'> & Partial<SummaryRow>,
    changes: Partial<SummaryRow>,
  ): Promise<boolean> {
    const { store, place } = this.#deps;
    const { numUpdatedRows } = await store.housekeeping((tx) => {
      const update = tx
        .updateTable('activity_summaries')
        .set(changes)
        .where((is) => is.and({ ...seen, place, stream: this.#stream.dataset.path }));
      if (run === undefined) return update.executeTakeFirstOrThrow();
      return update.where('run', run === null ? 'is' : '=', run).executeTakeFirstOrThrow();
    });
    return Number(numUpdatedRows) > 0;
  }

  /** Returns whether events of a later hour have arrived. */
  async #write(row: SummaryRow, reach: RunBounds): Promise<boolean> {
    const rules = await TriggeredRules.of(this.#deps, row.owner_id, row.through - hour);
    const write = async (depth: number, bits: number): Promise<void> => {
      const activities = await this.#collect(row, reach, { depth, bits });
      if (!activities) {
        // Exceeds memory: process the two halves of the key space in turn. The split is deterministic.
        await write(depth + 1, bits);
        await write(depth + 1, bits | (1 << depth));
        return;
      }
      // CloudTrail came first: its runs have no prefix, and one that was interrupted before an upgrade goes on.
      const prefix = this.#stream === trailStream ? '' : `${this.#stream.dataset.path} `;
      const run = `${prefix}${reach.through} ${reach.sequence}`;
      for (let index = 0; index * recordsAtOnce < activities.length; index++) {
        const some = activities.slice(index * recordsAtOnce, (index + 1) * recordsAtOnce);
        await this.#deps.telemetry.intake.ingest({
          account: row.owner_id,
          dataset: cloudActivities,
          form: 'lines',
          body: some.map((each) => JSON.stringify(each.record(run, rules.triggeredBy(each)))).join('\n'),
          idempotencyKey: `activities ${run} ${depth} ${bits} ${index}`,
        });
      }
    };
    await write(0, 0);
    return this.#isAhead(row, reach);
  }

  /** The activities in a deterministic order; undefined if they exceed the memory limit. */
  async #collect(
    row: SummaryRow,
    reach: RunBounds,
    { depth, bits }: { depth: number; bits: number },
  ): Promise<Activity[] | undefined> {
    const activities = new Map<string, Activity>();
    const limit = this.#deps.maxActivities ?? defaultMaxActivities;
    for (const { text, run } of queriesFor(this.#stream, row, reach)) {
      const { language, runner } = this.#deps;
      for await (const rows of rowsOf(runner.run(language.read(text), run, this.#stopping.signal))) {
        for (const row of rows) {
          const call = eventOf(this.#stream, row);
          if (!call) continue;
          const key = activityKeyOf(call.event, call.at);
          const name = JSON.stringify(Object.values(key));
          if (depth > 0 && (hashOf(name) & ((1 << depth) - 1)) !== bits) continue;
          const activity = activities.get(name) ?? new Activity(this.#stream, key);
          activity.add(call.event, call.number);
          activities.set(name, activity);
          if (activities.size > limit) return undefined;
        }
      }
    }
    return [...activities].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, activity]) => activity);
  }

  async #isAhead(row: SummaryRow, { through }: RunBounds): Promise<boolean> {
    const { language, runner, clock } = this.#deps;
    const text = `{ source { ${this.#stream.dataset.path} } return { EVENT_TIME } }`;
    const range = { start: through, end: Math.max(clock.now(), through) + 366 * 24 * hour };
    const rows = runner.run(
      language.read(text),
      { account: row.owner_id, range, limit: 1 },
      this.#stopping.signal,
    );
    for await (const chunk of rows) if (chunk.length > 0) return true;
    return false;
  }
}

/** Events of complete hours that arrived since the last run, and earlier arrivals of the hours completed since. */
function queriesFor(
  stream: ActivityStream,
  row: SummaryRow,
  { through, sequence }: RunBounds,
): { text: string; run: Run }[] {
  const account = row.owner_id;
  const range = { start: row.through, end: through };
  const fresh = {
    text: activityQuery(stream, { before: through }),
    run: { account, range, arrived: { after: row.sequence, upTo: sequence } },
  };
  if (row.is_ahead === 0) return [fresh];
  return [
    fresh,
    { text: activityQuery(stream, { before: through, upTo: row.sequence }), run: { account, range } },
  ];
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** Optimistic lock: another run may have started and ended since the row was read. */
function unchanged({ owner_id, leased_until, sequence, through, run }: SummaryRow) {
  return { owner_id, leased_until, sequence, through, run };
}

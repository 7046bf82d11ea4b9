import { createHash } from 'node:crypto';
import type { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import { FairWorkers } from '../../platform/fair-workers.ts';
import type { Log } from '../../platform/log.ts';
import type { QueryLanguage } from '../../querying/language.ts';
import type { QueryRunner, Run } from '../../querying/runner.ts';
import { cloudActivities } from '../../telemetry/datasets/CloudActivities.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { rowsOf } from '../evaluation/row.ts';
import { Activity, activityKeyOf } from './activity.ts';
import { trailQuery, trailRow } from './trail-query.ts';
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
  /** Fewer than memory holds, so that a test need not make so many. */
  readonly mostActivities?: number;
}

/** How far one run goes. */
interface Reach {
  readonly through: number;
  readonly sequence: number;
}

const hour = 3_600_000;
/** What is told a little late still belongs to the record of its hour. */
const patience = 5 * 60_000;
const leaseLength = 600_000;
/** Accounts that are summed up at once. */
const accountsAtOnce = { capacity: 2, reserve: 1 };
const usuallyMostActivities = 20_000;
const recordsAtOnce = 1_000;
const stream = cloudTrailRawEvents.path;

/**
 * Sums up what was done in clouds: a record for each hour, call and caller, written when the hour is over. What comes
 * later makes another one. A run is written down before it begins and gives its records the same keys whenever it is
 * begun again, so each is stored once.
 */
export class CloudActivities {
  readonly #deps: CloudActivitiesDeps;
  readonly #stopping = new AbortController();
  readonly #workers: FairWorkers<SummaryRow>;
  /** Accounts that were not looked at since the last tick. */
  readonly #waiting = new Map<string, SummaryRow>();
  readonly #busy = new Set<string>();

  constructor(deps: CloudActivitiesDeps) {
    this.#deps = deps;
    this.#workers = new FairWorkers({
      limits: accountsAtOnce,
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
      failed: (error) => deps.log.error({ error: String(error) }, 'cloud activities could not be summed up'),
    });
  }

  /** Gives up what runs; the next start begins it again. */
  stop(): void {
    this.#stopping.abort(new Error('The service stops.'));
    this.#workers.stop();
  }

  /** Begins to sum up whatever is complete: what fails or takes long in one account holds up no other. */
  async look(): Promise<void> {
    const { store } = this.#deps;
    const accounts = await store.read.selectFrom('accounts').select('id').execute();
    const rows = await this.#rows();
    for (const { id } of accounts)
      if (!this.#busy.has(id)) this.#waiting.set(id, rows.get(id) ?? (await this.#begin(id)));
    await this.#workers.look();
  }

  /** Sums up whatever is complete. */
  async tick(): Promise<void> {
    await this.look();
    await this.settled();
  }

  /** Resolves when nothing is summed up any more. */
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
      .where('stream', '=', stream)
      .execute();
    return new Map(rows.map((row) => [row.owner_id, row]));
  }

  /** From this hour on: what was reported before is not summed up. */
  async #begin(account: string): Promise<SummaryRow> {
    const { store, clock, telemetry, place } = this.#deps;
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
    const last = await telemetry.lastBatch(seen.owner_id, stream);
    // Its last batch is gone with its day, or with the records that others took the place of.
    if (last < seen.sequence && seen.run === null) {
      await this.#update(asSeen(seen), { sequence: last });
      return;
    }
    const through = Math.floor((now - patience) / hour) * hour;
    const hasNews = last > seen.sequence || seen.is_ahead === 1;
    if (seen.leased_until > now || (seen.run === null && (through <= seen.through || !hasNews))) return;
    const reach = seen.run === null ? { through, sequence: last } : (JSON.parse(seen.run) as Reach);
    const leased = { leased_until: now + leaseLength, run: JSON.stringify(reach) };
    if (!(await this.#update(asSeen(seen), leased))) return;
    const isAhead = await this.#write(seen, reach);
    await this.#update(
      { owner_id: seen.owner_id },
      { ...reach, is_ahead: isAhead ? 1 : 0, run: null, leased_until: 0 },
    );
  }

  /** False when somebody else was quicker. */
  async #update(
    { run, ...seen }: Pick<SummaryRow, 'owner_id'> & Partial<SummaryRow>,
    changes: Partial<SummaryRow>,
  ): Promise<boolean> {
    const { store, place } = this.#deps;
    const { numUpdatedRows } = await store.housekeeping((tx) => {
      const update = tx
        .updateTable('activity_summaries')
        .set(changes)
        .where((is) => is.and({ ...seen, place, stream }));
      if (run === undefined) return update.executeTakeFirstOrThrow();
      return update.where('run', run === null ? 'is' : '=', run).executeTakeFirstOrThrow();
    });
    return Number(numUpdatedRows) > 0;
  }

  /** Whether some of what has come is of a later hour. */
  async #write(row: SummaryRow, reach: Reach): Promise<boolean> {
    const rules = await TriggeredRules.of(this.#deps, row.owner_id, row.through - hour);
    const write = async (depth: number, bits: number): Promise<void> => {
      const activities = await this.#collect(row, reach, { depth, bits });
      if (!activities) {
        // Too many for memory: the two halves one after the other, the same ones however often it is done.
        await write(depth + 1, bits);
        await write(depth + 1, bits | (1 << depth));
        return;
      }
      const run = `${reach.through} ${reach.sequence}`;
      for (let part = 0; part * recordsAtOnce < activities.length; part++) {
        const some = activities.slice(part * recordsAtOnce, (part + 1) * recordsAtOnce);
        await this.#deps.telemetry.intake.take({
          account: row.owner_id,
          dataset: cloudActivities,
          form: 'lines',
          text: some.map((each) => JSON.stringify(each.record(run, rules.triggeredBy(each)))).join('\n'),
          idempotencyKey: `activities ${run} ${depth} ${bits} ${part}`,
        });
      }
    };
    await write(0, 0);
    return this.#isAhead(row, reach);
  }

  /** What was done, in an order that does not change; undefined when it is too much. */
  async #collect(
    row: SummaryRow,
    reach: Reach,
    { depth, bits }: { depth: number; bits: number },
  ): Promise<Activity[] | undefined> {
    const activities = new Map<string, Activity>();
    const most = this.#deps.mostActivities ?? usuallyMostActivities;
    for (const { text, run } of readings(row, reach)) {
      const { language, runner } = this.#deps;
      for await (const rows of rowsOf(runner.run(language.read(text), run, this.#stopping.signal))) {
        for (const found of rows) {
          const told = trailRow(found);
          if (!told) continue;
          const key = activityKeyOf(told.event, told.at);
          const name = JSON.stringify(Object.values(key));
          if (depth > 0 && (hashOf(name) & ((1 << depth) - 1)) !== bits) continue;
          const activity = activities.get(name) ?? new Activity(key);
          activity.add(told.event, told.number);
          activities.set(name, activity);
          if (activities.size > most) return undefined;
        }
      }
    }
    return [...activities].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, activity]) => activity);
  }

  async #isAhead(row: SummaryRow, { through }: Reach): Promise<boolean> {
    const { language, runner, clock } = this.#deps;
    const text = `{ source { CloudTrailRawEvents } return { EVENT_TIME } }`;
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

/** What came since the last run, of any hour that is over; and of these hours what had come before they were. */
function readings(row: SummaryRow, { through, sequence }: Reach): { text: string; run: Run }[] {
  const account = row.owner_id;
  const range = { start: row.through, end: through };
  const fresh = {
    text: trailQuery({ before: through }),
    run: { account, range, arrived: { after: row.sequence, upTo: sequence } },
  };
  if (row.is_ahead === 0) return [fresh];
  return [fresh, { text: trailQuery({ before: through, upTo: row.sequence }), run: { account, range } }];
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** What must still hold: a run of which the row was read before it may have begun and ended meanwhile. */
function asSeen({ owner_id, leased_until, sequence, through, run }: SummaryRow) {
  return { owner_id, leased_until, sequence, through, run };
}

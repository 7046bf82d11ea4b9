import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { dataExportRule } from '../../rules/data-export-rule.ts';
import { ruleOf } from '../../rules/record.ts';
import { hourLength, hourOf } from './layout.ts';

export interface ExportPlanDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  /** The telemetry that this node holds. */
  readonly place: string;
  /** Paths of the datasets that are exported. */
  readonly datasets: readonly string[];
}

/** What one rule sends of one account to one bucket. */
interface Stream {
  readonly owner_id: string;
  readonly rule_id: string;
  readonly channel_id: string;
  /** When the rule was last changed. */
  readonly since: number;
}

/** How far back hours are exported that nobody could export, and how long one is tried. */
export const longestDelay = 7 * 24 * hourLength;
/** Written ones are known for so long, to see that they were. */
const remembered = 30 * 24 * hourLength;
/** A clock that is set back a little brings nothing into an hour that was exported. */
const margin = 60_000;
const rowsAtOnce = 500;

/** Makes a job of every hour of every dataset that a rule exports, the present hour included, which is due when it is over. */
export class ExportPlan {
  readonly #deps: ExportPlanDeps;
  /** The last hour that was planned, by stream. */
  readonly #planned = new Map<string, number>();

  constructor(deps: ExportPlanDeps) {
    this.#deps = deps;
  }

  async update(): Promise<void> {
    const present = hourOf(this.#deps.clock.now());
    for (const stream of await this.#streams()) {
      const key = `${stream.owner_id} ${stream.rule_id} ${stream.channel_id}`;
      if (this.#planned.get(key) === present) continue;
      await this.#add(stream, present);
      this.#planned.set(key, present);
    }
  }

  /** Of the account itself, or of all accounts of the organization that has the rule. */
  async #streams(): Promise<Stream[]> {
    const { read } = this.#deps.store;
    const rows = await read
      .selectFrom('rules')
      .selectAll()
      .where('family', '=', dataExportRule.family)
      .execute();
    const rules = rows.map((row) => ({ row, rule: ruleOf(row) })).filter(({ rule }) => rule.filters.enabled);
    if (rules.length === 0) return [];
    const accounts = await read.selectFrom('accounts').select(['id', 'organization_id']).execute();
    const channels = await read
      .selectFrom('integrations')
      .select(['id', 'owner_id'])
      .where('family', '=', 'AlertChannels')
      .where('type', '=', 'AwsS3')
      .where('enabled', '=', 1)
      .execute();
    return rules.flatMap(({ row, rule }) =>
      channels
        .filter(({ id, owner_id }) => owner_id === row.owner_id && rule.intgGuidList.includes(id))
        .flatMap((channel) =>
          accounts
            .filter(({ id, organization_id }) => [id, organization_id].includes(row.owner_id))
            .map(({ id }) => ({
              ...{ owner_id: id, rule_id: row.id, channel_id: channel.id, since: row.updated_at },
            })),
        ),
    );
  }

  /** What was planned last tells where to go on; a new stream begins with the hour in which its rule was made. */
  async #add({ since, ...stream }: Stream, present: number): Promise<void> {
    const { store, clock, place, datasets } = this.#deps;
    const now = clock.now();
    const rows = await store.read
      .selectFrom('exports')
      .select(({ fn }) => ['dataset', fn.max('hour').as('last')])
      .where((is) => is.and({ ...stream, place }))
      .groupBy('dataset')
      .execute();
    const last = new Map(rows.map((row) => [row.dataset, Number(row.last)]));
    const jobs = datasets.flatMap((dataset) => {
      const before = last.get(dataset);
      const begin = before === undefined ? (last.size > 0 ? present : hourOf(since)) : before + hourLength;
      const from = Math.max(begin, present - longestDelay);
      const count = Math.max(0, (present - from) / hourLength + 1);
      return Array.from({ length: count }, (_, index) => from + index * hourLength).map((hour) => ({
        ...{ ...stream, place, dataset, hour, state: 'waiting' as const, attempts: 0 },
        ...{ due_at: hour + hourLength + margin, records: 0, object: null, problem: null, updated_at: now },
      }));
    });
    await store.housekeeping(async (tx) => {
      for (let from = 0; from < jobs.length; from += rowsAtOnce) {
        await tx
          .insertInto('exports')
          .values(jobs.slice(from, from + rowsAtOnce))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    });
  }

  /**
   * Forgets what was written long ago, what waits for a rule or channel that is gone, and hours from before the moment,
   * of which nothing is left to export, also those of places that nobody looks after any more.
   */
  async forget(before: number): Promise<void> {
    const { store, clock, place } = this.#deps;
    const old = clock.now() - remembered;
    await store.housekeeping((tx) =>
      tx
        .deleteFrom('exports')
        .where(({ or, and, not, exists, eb, selectFrom }) => {
          const rule = selectFrom('rules').select('rules.id').whereRef('rules.id', '=', 'exports.rule_id');
          const channel = selectFrom('integrations')
            .select('integrations.id')
            .whereRef('integrations.id', '=', 'exports.channel_id');
          return or([
            eb('exports.hour', '<', before - hourLength),
            and([
              eb('exports.place', '=', place),
              or([
                and([eb('exports.state', '=', 'written'), eb('exports.hour', '<', old)]),
                not(exists(rule)),
                not(exists(channel)),
              ]),
            ]),
          ]);
        })
        .execute(),
    );
  }
}

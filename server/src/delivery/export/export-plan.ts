import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { dataExportRule } from '../../rules/data-export-rule.ts';
import { ruleOf } from '../../rules/record.ts';
import { hourLength, hourOf } from './layout.ts';

export interface ExportPlanDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  /** Telemetry node id. */
  readonly place: string;
  /** Paths of the exported datasets. */
  readonly datasets: readonly string[];
}

/** The export of one account by one rule to one bucket. */
interface Stream {
  readonly owner_id: string;
  readonly rule_id: string;
  readonly channel_id: string;
  /** When the rule was last changed. */
  readonly since: number;
}

/** Hours older than this are not exported, and failing ones are given up. */
export const maxDelay = 7 * 24 * hourLength;
/** Retention of written rows, for operators. */
const writtenRetention = 30 * 24 * hourLength;
/** Delay after the end of an hour, so that a clock set back slightly adds no records to an exported hour. */
const margin = 60_000;
const batchSize = 500;

/** Creates a job for every hour of every exported dataset. The current hour becomes due when it ends. */
export class ExportPlan {
  readonly #deps: ExportPlanDeps;
  /** The last planned hour, by stream. */
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

  /** The accounts of a rule: its own account, or all accounts of its organization. */
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

  /** Continues after the last planned hour; a new stream starts with the hour in which its rule was created. */
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
      const from = Math.max(begin, present - maxDelay);
      const count = Math.max(0, (present - from) / hourLength + 1);
      return Array.from({ length: count }, (_, index) => from + index * hourLength).map((hour) => ({
        ...{ ...stream, place, dataset, hour, state: 'waiting' as const, attempts: 0 },
        ...{ due_at: hour + hourLength + margin, records: 0, object: null, problem: null, updated_at: now },
      }));
    });
    await store.housekeeping(async (tx) => {
      for (let from = 0; from < jobs.length; from += batchSize) {
        await tx
          .insertInto('exports')
          .values(jobs.slice(from, from + batchSize))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    });
  }

  /**
   * Deletes old written rows, rows of deleted rules and channels, and hours before `before`, whose records are deleted,
   * including those of removed nodes.
   */
  async deleteBefore(before: number): Promise<void> {
    const { store, clock, place } = this.#deps;
    const old = clock.now() - writtenRetention;
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

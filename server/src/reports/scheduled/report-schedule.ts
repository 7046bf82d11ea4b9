import type { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import { newSortableId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { cloudAccountsOf } from './cloud-accounts.ts';
import { lastPeriod, type Period } from './period.ts';
import { type ReportContent, type ReportMessage, reportOccasion } from './report-message.ts';
import type { PlannedReport, ReportPlans } from './report-plans.ts';

export interface ReportScheduleDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly plans: readonly ReportPlans[];
  /** Hour of the day, UTC. */
  readonly sendingHour: number;
}

interface Account {
  readonly id: string;
  readonly name: string;
}

/** Days of alerts that are reported later, if the service did not run. */
const maxMissedDays = 7;
/** Longer than a month: a row that is missing is queued again after a restart. */
const minKeptDays = 35;
const day = 86_400_000;
/** Reports of one account that wait to be sent: every cloud account, channel and report type has its own. */
const maxWaiting = 10_000;
const rowsAtOnce = 500;

type QueuedReport = Tables['deliveries'];

interface QueuedBatch {
  readonly account: Account;
  readonly contents: readonly { readonly name: string; readonly content: ReportContent }[];
  readonly channels: readonly string[];
  readonly period: Period;
  readonly now: number;
}

interface QueuedPeriod {
  readonly end: number;
  /** The errors of accounts for which the report is not queued yet, by account. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Queues the reports of each period once: the rows of the queue remember which ones were queued. */
export class ReportSchedule {
  readonly #deps: ReportScheduleDeps;
  /** The last period that was queued, by report. */
  readonly #queued = new Map<string, QueuedPeriod>();

  constructor(deps: ReportScheduleDeps) {
    this.#deps = deps;
  }

  async update(): Promise<void> {
    const { clock, sendingHour, plans } = this.#deps;
    const now = clock.now();
    const keys = new Set<string>();
    for (const source of plans)
      for (const report of await source.reports()) {
        keys.add(report.key);
        const period = lastPeriod(report.frequency, now, sendingHour);
        if (period.dueAt > report.since) await this.#update(report, period, now);
      }
    for (const key of this.#queued.keys()) if (!keys.has(key)) this.#queued.delete(key);
  }

  /** Deletes what was sent or given up before this time, but nothing whose period may still be the last one. */
  async deleteBefore(before: number): Promise<void> {
    const latest = this.#deps.clock.now() - minKeptDays * day;
    await this.#deps.store.housekeeping((tx) =>
      tx
        .deleteFrom('deliveries')
        .where('alert_id', '=', 0)
        .where('occasion', 'like', `${reportOccasion}%`)
        .where('state', '!=', 'waiting')
        .where('updated_at', '<', Math.min(before, latest))
        .execute(),
    );
  }

  /** An account that fails, such as one whose searches are too many, is tried again and does not delay others. */
  async #update(report: PlannedReport, period: Period, now: number): Promise<void> {
    const last = this.#queued.get(report.key);
    const isRetry = last?.end === period.end;
    if (isRetry && last.problems.size === 0) return;
    const problems = new Map<string, string>();
    for (const account of report.accounts) {
      const known = last?.problems.get(account.id);
      if (isRetry && known === undefined) continue;
      try {
        for (const one of periodsOf(report, period)) await this.#queue(report, account, one, now);
      } catch (error) {
        const problem = String(error);
        problems.set(account.id, problem);
        if (problem === known) continue;
        const fields = { account: account.name, report: report.name, error: problem };
        this.#deps.log.warn(fields, 'a report could not be queued and is tried again');
      }
    }
    this.#queued.set(report.key, { end: period.end, problems });
  }

  async #queue(report: PlannedReport, account: Account, period: Period, now: number): Promise<void> {
    let room = Math.max(maxWaiting - (await this.#waitingOf(account)), 0);
    const contents = await this.#contents(report, account);
    for (const rows of batchesOf({ account, contents, channels: report.channels, period, now })) {
      const accepted = rows.slice(0, room);
      room -= await this.#add(accepted);
      if (accepted.length === rows.length) continue;
      this.#deps.log.warn(
        { account: account.name, report: report.name },
        `some reports are not sent: ${maxWaiting} reports of the account are waiting`,
      );
      return;
    }
  }

  /** A compliance report is about one cloud account. */
  async #contents(
    { type, name, groups, severities, listedOnly, cloudAccounts }: PlannedReport,
    account: Account,
  ): Promise<{ name: string; content: ReportContent }[]> {
    if (type.kind === 'trend') return [{ name, content: { kind: 'trend' } }];
    if (type.kind === 'alerts')
      return [{ name, content: { kind: 'alerts', alerts: type.alerts, severities, groups } }];
    const known = await cloudAccountsOf(this.#deps, account, type.cloud, groups);
    return known
      .filter((one) => cloudAccounts?.(one) ?? true)
      .map(({ id, parent }) => ({
        name: `${name} ${id}`,
        content: {
          ...{ kind: 'compliance' as const, report: type.report, listedOnly },
          cloudAccount: { id, ...(parent && { parent }) },
        },
      }));
  }

  async #waitingOf({ id }: Account): Promise<number> {
    const { count } = await this.#deps.store.read
      .selectFrom('deliveries')
      .select((is) => is.fn.countAll().as('count'))
      .where('owner_id', '=', id)
      .where('alert_id', '=', 0)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Returns how many were not queued before. */
  async #add(rows: readonly QueuedReport[]): Promise<number> {
    if (rows.length === 0) return 0;
    const { numInsertedOrUpdatedRows } = await this.#deps.store.housekeeping((tx) =>
      tx
        .insertInto('deliveries')
        .values([...rows])
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow(),
    );
    return Number(numInsertedOrUpdatedRows ?? 0);
  }
}

/** In batches, because there may be many cloud accounts and channels. */
function* batchesOf({ account, contents, channels, period, now }: QueuedBatch): Generator<QueuedReport[]> {
  let rows: QueuedReport[] = [];
  for (const { name, content } of contents)
    for (const channelId of channels) {
      const id = newSortableId(now);
      const message: ReportMessage = {
        ...{ deliveryId: id, ownerId: account.id, account: account.name, content },
        ...{ start: period.start, end: period.end },
      };
      rows.push({
        ...{ id, owner_id: account.id, alert_id: 0, channel_id: channelId },
        ...{ occasion: `${reportOccasion}${name}`.slice(0, 500), window_start: period.start },
        ...{ message: JSON.stringify(message), state: 'waiting', attempts: 0 },
        ...{ due_at: now, created_at: now, updated_at: now, problem: null, external: null },
      });
      if (rows.length < rowsAtOnce) continue;
      yield rows;
      rows = [];
    }
  yield rows;
}

/** Alerts of days that were missed are reported, too; other reports show the present state. */
function periodsOf({ type, since }: PlannedReport, last: Period): Period[] {
  if (type.kind !== 'alerts') return [last];
  const periods = Array.from({ length: maxMissedDays }, (_, before) => ({
    start: last.start - before * day,
    end: last.end - before * day,
    dueAt: last.dueAt - before * day,
  }));
  return periods.filter(({ dueAt }) => dueAt > since).reverse();
}

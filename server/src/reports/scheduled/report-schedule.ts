import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { newSortableId } from '../../platform/ids.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { cloudAccountsOf } from './cloud-accounts.ts';
import { lastPeriod, type Period } from './period.ts';
import { type ReportContent, type ReportMessage, reportOccasion } from './report-message.ts';
import type { PlannedReport, ReportPlans } from './report-plans.ts';

export interface ReportScheduleDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
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
const day = 86_400_000;

/** Queues the reports of each period once: the rows of the queue remember which ones were queued. */
export class ReportSchedule {
  readonly #deps: ReportScheduleDeps;
  /** The end of the last period that was queued, by report. */
  readonly #queued = new Map<string, number>();

  constructor(deps: ReportScheduleDeps) {
    this.#deps = deps;
  }

  async update(): Promise<void> {
    const { clock, sendingHour, plans } = this.#deps;
    const now = clock.now();
    for (const source of plans)
      for (const report of await source.reports()) {
        const period = lastPeriod(report.frequency, now, sendingHour);
        if (period.dueAt <= report.since || this.#queued.get(report.key) === period.end) continue;
        for (const one of periodsOf(report, period)) await this.#queue(report, one, now);
        this.#queued.set(report.key, period.end);
      }
  }

  /** Deletes what was sent or given up before this time. */
  async deleteBefore(before: number): Promise<void> {
    await this.#deps.store.housekeeping((tx) =>
      tx
        .deleteFrom('deliveries')
        .where('alert_id', '=', 0)
        .where('occasion', 'like', `${reportOccasion}%`)
        .where('state', '!=', 'waiting')
        .where('updated_at', '<', before)
        .execute(),
    );
  }

  async #queue(report: PlannedReport, period: Period, now: number): Promise<void> {
    for (const account of report.accounts)
      for (const { name, content } of await this.#contents(report, account)) {
        const occasion = `${reportOccasion}${name}`.slice(0, 500);
        for (const channelId of report.channels)
          await this.#add(account, { channelId, occasion, content, period, now });
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

  async #add(
    { id: ownerId, name: account }: Account,
    report: {
      readonly channelId: string;
      readonly occasion: string;
      readonly content: ReportContent;
      readonly period: Period;
      readonly now: number;
    },
  ): Promise<void> {
    const { channelId, occasion, content, period, now } = report;
    const id = newSortableId(now);
    const message: ReportMessage = {
      ...{ deliveryId: id, ownerId, account, content },
      ...{ start: period.start, end: period.end },
    };
    await this.#deps.store.housekeeping((tx) =>
      tx
        .insertInto('deliveries')
        .values({
          ...{ id, owner_id: ownerId, alert_id: 0, channel_id: channelId, occasion },
          ...{ window_start: period.start, message: JSON.stringify(message), state: 'waiting', attempts: 0 },
          ...{ due_at: now, created_at: now, updated_at: now, problem: null, external: null },
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }
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

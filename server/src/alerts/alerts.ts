import type { Actor } from '../control/actor.ts';
import { holdOwned, lockOwned } from '../control/owned-row.ts';
import { nextNumber } from '../control/sequence.ts';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Clock } from '../platform/clock.ts';
import { type CloseReason, closeReasons } from './close-reasons.ts';
import type { Finding, Violation } from './finding.ts';
import { allows, statusAfter } from './life-cycle.ts';
import { withViolations } from './listing.ts';
import { indexEntities } from './related.ts';
import type { Router } from './routing.ts';
import { addCount, addEntry, type MessageFormat, type TimelineRow } from './timeline.ts';

export type AlertRow = Tables['alerts'];

export interface AlertDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly router: Router;
}

export interface RaiseResult {
  readonly alertId: number;
  readonly isNew: boolean;
  /** Number of violations newly listed, which are the first ones of the finding. */
  readonly added: number;
}

/** The user and the alert of a comment or a closing. */
export interface AlertCommand {
  readonly actor: Actor;
  readonly userId: string;
  readonly alertId: number;
}

export interface Closing {
  readonly reason: CloseReason;
  readonly comment: string;
}

/** Violations of an alert that are resolved or excepted. */
export interface ClearedViolations {
  readonly ownerId: string;
  readonly alertId: number;
  /** Display names of the first of them. */
  readonly names: readonly string[];
  readonly total: number;
  readonly because: 'resolved' | 'excepted';
}

/** One open alert per policy and hour; violations after it is closed open another. */
export class Alerts {
  readonly #deps: AlertDeps;

  constructor(deps: AlertDeps) {
    this.#deps = deps;
  }

  /** Opens the alert of the policy and hour, or adds to the open one. */
  async raise(tx: ControlTransaction, finding: Finding): Promise<RaiseResult> {
    const open = await this.#openOf(tx, finding);
    if (open) return this.#join(tx, open, finding);
    // The sequence serialises transactions, so an alert that another node opened first is visible now.
    const id = await nextNumber(tx, finding.ownerId, 'alert');
    const first = await this.#openOf(tx, finding);
    return first ? this.#join(tx, first, finding) : this.#open(tx, id, finding);
  }

  /** Records cleared violations in the timeline of their alert without changing its status. */
  async clear(tx: ControlTransaction, cleared: ClearedViolations): Promise<void> {
    const { ownerId, alertId, names, total, because } = cleared;
    await holdOwned(tx, 'alerts', { owner_id: ownerId, id: alertId });
    await addCount(tx, {
      ...{ ownerId, alertId, type: 'ClearedViolations', at: this.#deps.clock.now(), names, total },
      ...(because === 'resolved'
        ? { one: 'violation resolved', many: 'violations resolved' }
        : { one: 'violation covered by an exception', many: 'violations covered by an exception' }),
    });
  }

  comment(
    { actor, userId, alertId }: AlertCommand,
    text: string,
    format: MessageFormat,
  ): Promise<TimelineRow> {
    const { store, clock } = this.#deps;
    return store.transaction(actor, async (tx, act) => {
      const now = clock.now();
      const row = await lockOwned(tx, 'alerts', { owner_id: actor.ownerId, id: alertId });
      const status = statusAfter(row.status, 'comment');
      await update(tx, row, { status, user_updated_at: now, updated_at: now });
      act.describe(`${alertId} '${row.alert_name}'`);
      return addEntry(tx, {
        ...{ ownerId: row.owner_id, alertId, type: 'Comment', author: 'UserUpdate', at: now },
        ...{ message: text, format, user: { id: userId, name: actor.userName } },
      });
    });
  }

  /** Runs `besides` in the same transaction. */
  close<Result>(
    { actor, userId, alertId }: AlertCommand,
    { reason, comment }: Closing,
    besides: (tx: ControlTransaction, alert: AlertRow) => Promise<{ done?: string; result: Result }>,
  ): Promise<Result> {
    const { store, clock, router } = this.#deps;
    return store.transaction(actor, async (tx, act) => {
      const now = clock.now();
      const row = await lockOwned(tx, 'alerts', { owner_id: actor.ownerId, id: alertId });
      const changes = {
        ...{ status: statusAfter(row.status, 'close'), close_reason: reason },
        ...{ user_updated_at: now, updated_at: now },
      };
      await update(tx, row, changes);
      const { done, result } = await besides(tx, row);
      const why = [closeReasons[reason], done, comment].filter(Boolean);
      await addEntry(tx, {
        ...{ ownerId: row.owner_id, alertId, type: 'Closed', author: 'UserUpdate', at: now },
        ...{ message: `Closed: ${why.join('. ')}`, user: { id: userId, name: actor.userName } },
        context: { reason },
      });
      await router.closed(tx, { ...row, ...changes });
      act.describe(
        `${alertId} '${row.alert_name}': ${[closeReasons[reason], done].filter(Boolean).join(', ')}`,
      );
      return result;
    });
  }

  /** The open alert of the policy and hour, locked until the transaction ends. */
  async #openOf(
    tx: ControlTransaction,
    { ownerId, policyId, windowStart }: Finding,
  ): Promise<AlertRow | undefined> {
    const key = { owner_id: ownerId, policy_id: policyId, window_start: windowStart };
    if (!(await holdOwned(tx, 'alerts', key))) return undefined;
    const last = await tx
      .selectFrom('alerts')
      .selectAll()
      .where((is) => is.and(key))
      .orderBy('round', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last && allows(last.status, 'join') ? last : undefined;
  }

  async #open(tx: ControlTransaction, id: number, finding: Finding): Promise<RaiseResult> {
    const { clock, router } = this.#deps;
    const { ownerId, policyId, windowStart, listed, limit, total } = finding;
    const now = clock.now();
    const { closed } = await tx
      .selectFrom('alerts')
      .select(({ fn }) => fn.countAll<number>().as('closed'))
      .where('owner_id', '=', ownerId)
      .where('policy_id', '=', policyId)
      .where('window_start', '=', windowStart)
      .executeTakeFirstOrThrow();
    const { columns, added } = withViolations(listed, limit);
    const row: AlertRow = {
      ...{ id, owner_id: ownerId, policy_id: policyId, window_start: windowStart, round: Number(closed) },
      ...{ alert_name: finding.alertName, alert_type: finding.alertType, severity: finding.severity },
      status: 'Open',
      alert_info: JSON.stringify({
        ...{ subject: finding.subject, description: finding.description },
        ...(finding.remediation !== '' && { remediation: finding.remediation }),
      }),
      alert_spec: finding.alertSpec ? JSON.stringify(finding.alertSpec) : null,
      derived_fields: JSON.stringify({
        ...{ category: finding.category, sub_category: finding.subCategory, source: finding.source },
      }),
      reachability: 'UnknownReachability',
      violations: total,
      ...{ start_at: now, end_at: now },
      ...eventTimes(finding),
      ...{ user_updated_at: null, close_reason: null, is_routed: 0, created_at: now, updated_at: now },
      ...columns,
    };
    await tx.insertInto('alerts').values(row).execute();
    await indexEntities(tx, row, added);
    await addCount(tx, {
      ...{ ownerId, alertId: id, type: 'Opened', at: now, total, names: namesOf(listed) },
      ...{ one: 'violation', many: 'violations' },
    });
    await router.route(tx, row, listed);
    return { alertId: id, isNew: true, added: columns.listed };
  }

  async #join(tx: ControlTransaction, present: AlertRow, finding: Finding): Promise<RaiseResult> {
    const { listed, total, limit } = finding;
    const { clock, router } = this.#deps;
    const now = clock.now();
    const { columns, added, joined } = withViolations(listed, limit, present);
    const changes = {
      ...{ violations: present.violations + total, updated_at: now, end_at: Math.max(present.end_at, now) },
      ...eventTimes(finding, present),
      ...columns,
    };
    await update(tx, present, changes);
    await indexEntities(tx, present, added);
    await addCount(tx, {
      ...{ ownerId: present.owner_id, alertId: present.id, type: 'NewViolations', at: now, total },
      ...{ names: namesOf(listed), one: 'more violation', many: 'more violations' },
    });
    const count = columns.listed - present.listed;
    const isNews = joined.length > 0 || count < total;
    await router.route(tx, { ...present, ...changes }, listed, isNews ? joined : undefined);
    return { alertId: present.id, isNew: false, added: count };
  }
}

type EventTimes = Pick<AlertRow, 'first_event_at' | 'last_event_at'>;

/** The range of event times, including those already recorded in the alert. */
function eventTimes({ firstEventAt, lastEventAt }: Finding, present?: EventTimes): EventTimes {
  const all = [present?.first_event_at, present?.last_event_at, firstEventAt, lastEventAt].filter(
    (at) => at !== undefined && at !== null,
  );
  if (all.length === 0) return { first_event_at: null, last_event_at: null };
  return { first_event_at: Math.min(...all), last_event_at: Math.max(...all) };
}

function namesOf(listed: readonly Violation[]): string[] {
  return listed.map(({ name, shownName = name }) => shownName);
}

async function update(
  tx: ControlTransaction,
  { owner_id, id }: AlertRow,
  changes: Partial<AlertRow>,
): Promise<void> {
  await tx.updateTable('alerts').set(changes).where('owner_id', '=', owner_id).where('id', '=', id).execute();
}

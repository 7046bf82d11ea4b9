import type { ControlStore } from '../control/store.ts';
import type { Scheduler } from '../detection/evaluation/scheduler.ts';
import { formatInstant } from '../platform/instant.ts';

export interface EvaluationStatus {
  readonly account: string;
  readonly policyId: string;
  readonly title: string;
  /** `arrivals`: triggered by ingestion; `state`: evaluated periodically. */
  readonly follows: 'arrivals' | 'state';
  readonly state: 'running' | 'failing' | 'overdue' | 'due' | 'waiting';
  readonly lastFinished: string | undefined;
  /** Time of the next periodic evaluation or retry. */
  readonly next: string | undefined;
  readonly failures: number;
  readonly problem: string | undefined;
  /** Counts of the last evaluation. */
  readonly counts: Readonly<Record<string, number>> | undefined;
}

/** Evaluation status of all policies on this node, most urgent first. */
export async function listEvaluations({
  store,
  scheduler,
}: {
  readonly store: ControlStore;
  readonly scheduler: Pick<Scheduler, 'entries' | 'circumstances'>;
}): Promise<EvaluationStatus[]> {
  const accounts = await store.read.selectFrom('accounts').select(['id', 'name']).execute();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const { circumstances, entries } = scheduler;
  const states: EvaluationStatus['state'][] = ['failing', 'overdue', 'running', 'due', 'waiting'];
  return entries
    .map((entry): EvaluationStatus => {
      const { row, task, isStream } = entry;
      const isDue = entry.dueSince(circumstances) !== undefined;
      const isScheduled = row.due_at > circumstances.now && (!isStream || row.failures > 0);
      return {
        account: names.get(row.owner_id) ?? row.owner_id,
        policyId: row.policy_id,
        title: task.policy.title,
        follows: isStream ? 'arrivals' : 'state',
        state: entry.isRunning
          ? 'running'
          : row.failures > 0
            ? 'failing'
            : entry.isOverdue(circumstances)
              ? 'overdue'
              : isDue
                ? 'due'
                : 'waiting',
        lastFinished: row.finished_at === null ? undefined : formatInstant(row.finished_at),
        next: isScheduled ? formatInstant(row.due_at) : undefined,
        failures: row.failures,
        problem: row.problem ?? undefined,
        counts: row.counts === null ? undefined : JSON.parse(row.counts),
      };
    })
    .sort(
      (one, other) =>
        states.indexOf(one.state) - states.indexOf(other.state) ||
        (one.account === other.account
          ? one.policyId.localeCompare(other.policyId, 'en', { numeric: true })
          : one.account < other.account
            ? -1
            : 1),
    );
}

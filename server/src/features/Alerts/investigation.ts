import type { AlertRow } from '../../alerts/alerts.ts';
import { relatedTo } from '../../alerts/related.ts';
import type { ControlStore } from '../../control/store.ts';
import type { Policies } from '../../detection/policies/policies.ts';
import type { Scope } from '../../identity/scope.ts';
import { Refusal } from '../../platform/errors.ts';

export interface Investigated {
  readonly store: ControlStore;
  readonly policies: Policies;
  readonly scope: Scope;
  readonly alert: AlertRow;
  readonly now: number;
}

export interface Answered {
  readonly question: string;
  readonly answer: string;
}

const day = 24 * 3_600_000;

type Question = (investigated: Investigated) => Promise<boolean>;

/** What somebody who looks at an alert asks first, answered from what is stored. */
const questions: Readonly<Record<string, Question>> = {
  'Has this policy raised another alert in the 30 days before?': async ({ store, alert }) => {
    const earlier = await alertsOfPolicy(store, alert)
      .where('start_at', '>=', alert.start_at - 30 * day)
      .where('id', '<', alert.id)
      .executeTakeFirst();
    return earlier !== undefined;
  },
  'Is there an alert of another policy about the same entities within 30 days?': async ({ store, alert }) => {
    const related = await relatedTo(store.read, alert);
    return related.some(({ alert: { policy_id } }) => policy_id !== alert.policy_id);
  },
  'Was an alert of this policy closed as false positive or expected in the last 90 days?': async ({
    store,
    alert,
    now,
  }) => {
    const closed = await alertsOfPolicy(store, alert)
      .where('close_reason', 'in', [1, 4, 5])
      .where('start_at', '>=', now - 90 * day)
      .executeTakeFirst();
    return closed !== undefined;
  },
  'Does an exception to this policy hold now?': async ({ store, alert, now }) => {
    const holding = await store.read
      .selectFrom('policy_exceptions')
      .select('id')
      .where('owner_id', '=', alert.owner_id)
      .where('policy_id', '=', alert.policy_id)
      .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
      .limit(1)
      .executeTakeFirst();
    return holding !== undefined;
  },
  'Is the policy still enabled?': async ({ policies, scope, alert }) => {
    try {
      return (await policies.get(scope, alert.policy_id)).enabled;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'NOT_FOUND') return false;
      throw error;
    }
  },
  'Are violations that it tells of still there?': async ({ store, alert }) => {
    const present = await store.read
      .selectFrom('violations')
      .select('key')
      .where('owner_id', '=', alert.owner_id)
      .where('policy_id', '=', alert.policy_id)
      .where('alert_id', '=', alert.id)
      .where('exception_id', 'is', null)
      .limit(1)
      .executeTakeFirst();
    return present !== undefined;
  },
  'Are there more violations than it lists?': async ({ alert }) => alert.violations > alert.listed,
  'Does an alert rule send it somewhere?': async ({ alert }) => alert.is_routed === 1,
};

export async function investigate(investigated: Investigated): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const [question, ask] of Object.entries(questions)) {
    answers.push({ question, answer: (await ask(investigated)) ? 'Yes' : 'No' });
  }
  return answers;
}

function alertsOfPolicy(store: ControlStore, { owner_id, policy_id }: AlertRow) {
  return store.read
    .selectFrom('alerts')
    .select('id')
    .where('owner_id', '=', owner_id)
    .where('policy_id', '=', policy_id)
    .limit(1);
}

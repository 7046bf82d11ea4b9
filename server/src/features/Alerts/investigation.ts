import type { AlertRow } from '../../alerts/alerts.ts';
import { relatedTo } from '../../alerts/related.ts';
import type { ControlStore } from '../../control/store.ts';
import {
  type Answered,
  Investigation,
  type InvestigationDeps,
} from '../../detection/investigation/investigation.ts';

export interface InvestigationContext extends InvestigationDeps {
  readonly store: ControlStore;
  readonly alert: AlertRow;
  readonly now: number;
}

const day = 24 * 3_600_000;

type Question = (context: InvestigationContext) => Promise<boolean>;

/** Questions about every alert, answered from other alerts. */
const questions: Readonly<Record<string, Question>> = {
  'Has this policy raised another alert in the 30 days before?': async ({ store, alert }) => {
    const earlier = await alertsOfPolicy(store, alert)
      .where('start_at', '>=', alert.start_at - 30 * day)
      .where('id', '<', alert.id)
      .executeTakeFirst();
    return earlier !== undefined;
  },
  'Has another policy raised an alert about the same entities within 30 days?': async ({ store, alert }) => {
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
};

/** Questions about alerts on a state, whose violations can still be open. */
const stateQuestions: typeof questions = {
  'Are any of its violations still open?': async ({ store, alert }) => {
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
};

/** Questions specific to the kind of alert come first. */
export async function investigate(context: InvestigationContext): Promise<Answered[]> {
  const investigation = new Investigation(context.alert, context);
  const answers = await investigation.answers();
  const applicable = { ...(investigation.isState && stateQuestions), ...questions };
  for (const [question, ask] of Object.entries(applicable)) {
    answers.push({ question, answer: (await ask(context)) ? 'Yes' : 'No' });
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

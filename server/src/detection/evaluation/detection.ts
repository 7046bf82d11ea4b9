import type { Alerts } from '../../alerts/alerts.ts';
import { Hosts } from '../../alerts/hosts.ts';
import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { QueryLanguage } from '../../querying/language.ts';
import type { QueryRunner } from '../../querying/runner.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { Pack } from '../packs/pack.ts';
import type { ProfileReferences } from '../profiles/references.ts';
import { Evaluations } from './evaluations.ts';
import { Evaluator } from './evaluator.ts';
import { Evidence } from './evidence.ts';
import { Plan } from './plan.ts';
import { PolicyQueries } from './policy-queries.ts';
import { ResourceEvaluator } from './resource-evaluator.ts';
import { Scheduler } from './scheduler.ts';

export interface DetectionDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly pack: Pack;
  readonly profiles: ProfileReferences;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly place: string;
  /** Timeout of one evaluation, in seconds. */
  readonly timeout: number;
  /** Whether the violations of a first evaluation share an alert for each severity. */
  readonly firstEvaluation: 'summary' | 'alerts';
  /** Called after an alert was opened or joined, to trigger its delivery. */
  onAlert?(): void;
}

/** Milliseconds added to the evaluation timeout before a lease expires. */
const grace = 30_000;

/** Builds the scheduler that evaluates the policies of all accounts; call its `tick` every second. */
export function schedulerOf(deps: DetectionDeps): Scheduler {
  const { store, clock, telemetry, language, pack, place } = deps;
  const timeout = deps.timeout * 1_000;
  const evaluations = new Evaluations({ store, clock, place, leaseLength: timeout + grace });
  const evidence = new Evidence({ ...deps, intake: telemetry.intake });
  return new Scheduler({
    ...deps,
    plan: new Plan({ store, clock, pack, queries: new PolicyQueries(language) }),
    evaluations,
    evaluator: new Evaluator({ ...deps, evaluations, evidence, hosts: new Hosts(deps) }),
    resourceEvaluator: new ResourceEvaluator({ ...deps, evaluations, evidence }),
    evidence,
    timeout,
  });
}

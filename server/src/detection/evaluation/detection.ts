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
import { Questions } from './questions.ts';
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
  /** Seconds that one evaluation may take. */
  readonly timeout: number;
  /** Called when an alert was raised or joined, for those who send it. */
  told?(): void;
}

/** A node that died is thought dead so many milliseconds after the time that an evaluation may take. */
const grace = 30_000;

/** What judges the policies of all accounts, ready to be asked every second. */
export function schedulerOf(deps: DetectionDeps): Scheduler {
  const { store, clock, telemetry, language, pack, place } = deps;
  const timeout = deps.timeout * 1_000;
  const evaluations = new Evaluations({ store, clock, place, leaseLength: timeout + grace });
  const evidence = new Evidence({ ...deps, intake: telemetry.intake });
  return new Scheduler({
    ...deps,
    plan: new Plan({ store, clock, pack, questions: new Questions(language) }),
    evaluations,
    evaluator: new Evaluator({ ...deps, evaluations, evidence, hosts: new Hosts(deps) }),
    evidence,
    timeout,
  });
}

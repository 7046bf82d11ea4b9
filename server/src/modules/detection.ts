import { CloudActivities } from '../detection/activities/cloud-activities.ts';
import { activityStreams } from '../detection/activities/streams.ts';
import { deleteExpiredViolations, policyDeleted } from '../detection/evaluation/deleted-policy.ts';
import { schedulerOf } from '../detection/evaluation/detection.ts';
import { evaluationMetrics } from '../detection/evaluation/evaluation-metrics.ts';
import type { Scheduler } from '../detection/evaluation/scheduler.ts';
import type { DeletedPolicy } from '../telemetry/evaluation.ts';
import type { AlertsModule } from './alerts.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { DeliveryModule } from './delivery.ts';
import { type Module, type ModuleContext, minute, second } from './module.ts';
import type { PoliciesModule } from './policies.ts';
import type { QueryingModule } from './querying.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface DetectionModule extends Module {
  readonly scheduler: Scheduler;
}

export interface DetectionDeps {
  readonly control: ControlStoreModule;
  readonly telemetry: TelemetryModule;
  readonly querying: QueryingModule;
  readonly policies: PoliciesModule;
  readonly alerts: AlertsModule;
  readonly delivery: DeliveryModule;
}

/** Evaluates policies as data arrives, and aggregates cloud activities. */
export async function detectionModule(
  { configuration, clock, log }: ModuleContext,
  { control, telemetry: { telemetry }, querying, policies, alerts: { alerts }, delivery }: DetectionDeps,
): Promise<DetectionModule> {
  const { store, place } = control;
  const { pack, profileReferences: profiles } = policies;
  const { language, serviceRunner: runner } = querying;
  const shared = { store, clock, log, telemetry, language, runner, pack, place };
  const scheduler = schedulerOf({
    ...{ ...shared, profiles, alerts },
    timeout: configuration.VEDETTE_EVALUATION_TIMEOUT,
    firstEvaluation: configuration.VEDETTE_FIRST_EVALUATION,
    onAlert: delivery.wakeSender,
  });
  telemetry.onResources(() => scheduler.wake());
  // Releases the leases of the previous process of this data directory, before the first evaluation.
  await scheduler.takeOver();
  const activities = activityStreams.map((stream) => new CloudActivities({ ...shared, stream }));
  const each = async (work: (one: CloudActivities) => void | Promise<void>) => {
    for (const one of activities) await work(one);
  };
  return {
    scheduler,
    jobs: [
      { name: 'arrivals', milliseconds: second / 5, run: () => scheduler.poll() },
      { name: 'evaluations', milliseconds: second, run: () => scheduler.tick() },
      { name: 'cloud activities', milliseconds: minute, run: () => each((one) => one.poll()) },
    ],
    outbox: {
      [policyDeleted]: async (deleted: DeletedPolicy) => {
        await telemetry.endEvaluations(deleted);
        await deleteExpiredViolations(store, deleted);
      },
    },
    metrics: [() => evaluationMetrics(scheduler)],
    queues: {
      evaluations: () => scheduler.queue,
      cloud_activities: () => ({
        running: activities.reduce((sum, { running }) => sum + running, 0),
      }),
    },
    stop: () => each((one) => one.stop()),
    close: async () => {
      await each((one) => one.settled());
      await scheduler.stop();
    },
  };
}

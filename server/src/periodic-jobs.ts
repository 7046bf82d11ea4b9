import { forgetAlerts } from './alerts/retention.ts';
import type { ControlStore } from './control/store.ts';
import type { Exporter } from './delivery/export/exporter.ts';
import type { Sender } from './delivery/sender.ts';
import type { CloudActivities } from './detection/activities/cloud-activities.ts';
import type { Scheduler } from './detection/evaluation/scheduler.ts';
import type { AddressLimiter } from './http/rate/address-limiter.ts';
import type { Limiter } from './http/rate/limiter.ts';
import type { SignInFailures } from './identity/sign-in-failures.ts';
import type { Tokens } from './identity/tokens.ts';
import type { Outbox } from './jobs/outbox.ts';
import { Periodic } from './jobs/periodic.ts';
import type { Clock } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

export interface PeriodicJobDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
  readonly tokens: Tokens;
  readonly sender: Sender;
  readonly exporter: Exporter;
  readonly scheduler: Scheduler;
  readonly activities: CloudActivities;
  readonly outbox: Outbox;
  readonly addresses: AddressLimiter;
  readonly limiter: Limiter;
  readonly failures: SignInFailures;
  readonly clock: Clock;
  readonly log: Log;
  readonly retentionDays: number;
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** What happens without anyone asking, and how often. Each runs from now on until it is stopped. */
export function periodicJobs(deps: PeriodicJobDeps): Periodic[] {
  const { store, telemetry, tokens, sender, exporter, scheduler, activities, outbox, log } = deps;
  const retainedSince = () => deps.clock.now() - deps.retentionDays * day;
  const every = (milliseconds: number, name: string, work: () => Promise<void>) =>
    new Periodic(name, milliseconds, work, log);
  return [
    every(second / 5, 'arrivals', () => scheduler.look()),
    every(second / 2, 'deliveries', () => sender.look()),
    every(second, 'outbox', () => outbox.look()),
    every(second, 'evaluations', () => scheduler.tick()),
    every(2 * second, 'deliveries on their way', () => sender.keep()),
    every(2 * second, 'exports', () => exporter.look()),
    every(10 * second, 'failed sign-ins', () => deps.failures.flush()),
    every(20 * second, 'outbox messages being handled', () => outbox.keep()),
    every(minute, 'dead deliveries', () => sender.bury()),
    every(minute, 'strayed deliveries', () => sender.tidy()),
    every(minute, 'cloud activities', () => activities.look()),
    every(10 * minute, 'idle rate buckets', async () => {
      deps.addresses.forgetIdle();
      await deps.limiter.forgetIdle();
    }),
    every(hour, 'forgotten exports', () => exporter.forget(retainedSince())),
    every(hour, 'old alerts', () => forgetAlerts(store, retainedSince())),
    every(hour, 'expired tokens', () => tokens.forgetExpired()),
    every(hour, 'saved searches', () => telemetry.forgetExpired()),
    every(hour, 'old telemetry', async () => {
      await telemetry.forgetBefore(retainedSince());
      await telemetry.keepWithinCap();
      await telemetry.tidy();
    }),
  ];
}

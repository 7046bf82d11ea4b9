import type { QueueGauges } from '../features/operations/queue-gauges.ts';
import type { ReadinessCheck } from '../features/operations/readiness.ts';
import type { Route } from '../http/route.ts';
import type { OutboxHandler } from '../jobs/outbox.ts';
import type { Clock } from '../platform/clock.ts';
import type { Configuration } from '../platform/configuration.ts';
import type { MetricsCollector } from '../platform/exposition.ts';
import type { Log } from '../platform/log.ts';

/** What the service is started with. */
export interface ServiceContext {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly log: Log;
}

/** What every module is given. */
export interface ModuleContext extends ServiceContext {
  /** Base URL that clients use; without a configured one it is known once the server listens. */
  address(): string;
}

/** Runs in the background, never twice at once. */
export interface Job {
  /** Shown in the log. */
  readonly name: string;
  /** Between the starts of two runs. */
  readonly milliseconds: number;
  readonly run: () => Promise<void>;
}

/**
 * One domain as the composition root sees it. A module that others depend on extends this by the services that it offers
 * to them.
 */
export interface Module {
  readonly routes?: readonly Route[];
  readonly jobs?: readonly Job[];
  /** By topic. Several modules may handle a topic: they do so in the order of the modules, again when one of them fails. */
  readonly outbox?: Readonly<Record<string, OutboxHandler>>;
  readonly readiness?: readonly ReadinessCheck[];
  readonly metrics?: readonly MetricsCollector[];
  /** Gauges of its queues, by the name that `vedette_queue` shows. */
  readonly queues?: Readonly<Record<string, () => QueueGauges>>;
  /** Takes no more work. Called when no request is served any more, while jobs and other modules still run. */
  stop?(): void | Promise<void>;
  /** Finishes its work and releases its resources. Called in reverse order: its dependencies are still there. */
  close?(): void | Promise<void>;
}

export const [second, minute, hour] = [1_000, 60_000, 3_600_000] as const;

import type { QueueGauges } from '../features/operations/queue-gauges.ts';
import type { ReadinessCheck } from '../features/operations/readiness.ts';
import type { Route } from '../http/route.ts';
import type { OutboxHandler } from '../jobs/outbox.ts';
import type { Clock } from '../platform/clock.ts';
import type { Configuration } from '../platform/configuration.ts';
import type { MetricsCollector } from '../platform/exposition.ts';
import type { Log } from '../platform/log.ts';

/** Context of the service. */
export interface ServiceContext {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly log: Log;
}

/** Context of every module. */
export interface ModuleContext extends ServiceContext {
  /** Base URL of the service; empty until the server listens, unless it is configured. */
  address(): string;
}

/** A background job; its runs never overlap. */
export interface Job {
  /** Name in the log. */
  readonly name: string;
  /** Interval between the starts of two runs. */
  readonly milliseconds: number;
  readonly run: () => Promise<void>;
}

/**
 * A domain, as seen by the composition root. A module that others depend on extends this interface with the services that
 * it provides.
 */
export interface Module {
  readonly routes?: readonly Route[];
  readonly jobs?: readonly Job[];
  /** By topic. If several modules handle a topic, they run in module order, and all run again if one of them fails. */
  readonly outbox?: Readonly<Record<string, OutboxHandler>>;
  readonly readiness?: readonly ReadinessCheck[];
  readonly metrics?: readonly MetricsCollector[];
  /** Gauges of its queues, by the label `queue` of the metric `vedette_queue`. */
  readonly queues?: Readonly<Record<string, () => QueueGauges>>;
  /** Stops accepting work. Called after the last request, while jobs and other modules still run. */
  stop?(): void | Promise<void>;
  /** Finishes its work and releases its resources. Called in reverse order, so its dependencies are still open. */
  close?(): void | Promise<void>;
}

export const [second, minute, hour] = [1_000, 60_000, 3_600_000] as const;

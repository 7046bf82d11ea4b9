import type { QueueGauges } from '../features/operations/queue-gauges.ts';
import type { ReadinessCheck } from '../features/operations/readiness.ts';
import type { Route } from '../http/route.ts';
import type { OutboxHandler } from '../jobs/outbox.ts';
import { Periodic } from '../jobs/periodic.ts';
import type { MetricsCollector } from '../platform/exposition.ts';
import type { Log } from '../platform/log.ts';
import type { Module } from './module.ts';

/** The modules of a service in dependency order, and their combined declarations. */
export class ModuleList {
  readonly #modules: Module[] = [];
  #routes: readonly Route[] | undefined;
  #jobs: readonly Periodic[] = [];

  add<Added extends Module>(module: Added): Added {
    this.#modules.push(module);
    this.#routes = undefined;
    return module;
  }

  /** Sorted by family, which determines the order of the reference. */
  get routes(): readonly Route[] {
    this.#routes ??= this.#modules
      .flatMap(({ routes = [] }) => routes)
      .sort((a, b) => compare(familyOf(a), familyOf(b)));
    return this.#routes;
  }

  get readiness(): readonly ReadinessCheck[] {
    return this.#modules.flatMap(({ readiness = [] }) => readiness);
  }

  get metrics(): readonly MetricsCollector[] {
    return this.#modules.flatMap(({ metrics = [] }) => metrics);
  }

  queueGauges(): Record<string, QueueGauges> {
    const queues = this.#modules.flatMap(({ queues = {} }) => Object.entries(queues));
    return Object.fromEntries(queues.map(([name, gauges]) => [name, gauges()]));
  }

  /** One handler for each topic, which calls the handlers of all modules in order. */
  get outboxHandlers(): Record<string, OutboxHandler> {
    const byTopic = new Map<string, OutboxHandler[]>();
    for (const { outbox = {} } of this.#modules)
      for (const [topic, handler] of Object.entries(outbox))
        byTopic.set(topic, [...(byTopic.get(topic) ?? []), handler]);
    return Object.fromEntries(Array.from(byTopic, ([topic, handlers]) => [topic, sequence(handlers)]));
  }

  startJobs(log: Log): void {
    this.#jobs = this.#modules
      .flatMap(({ jobs = [] }) => jobs)
      .map(({ name, milliseconds, run }) => new Periodic(name, milliseconds, run, log));
  }

  /** Finishes accepted work, then closes the modules in reverse dependency order. */
  async stop(): Promise<void> {
    for (const module of this.#modules) await module.stop?.();
    for (const job of this.#jobs) await job.stop();
    for (const module of this.#modules.toReversed()) await module.close?.();
  }
}

function sequence(handlers: readonly OutboxHandler[]): OutboxHandler {
  return async (payload) => {
    for (const handler of handlers) await handler(payload);
  };
}

const familyOf = ({ declaration }: Route): string => declaration.family.name.toLowerCase();

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

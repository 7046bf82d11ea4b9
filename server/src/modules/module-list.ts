import type { QueueGauges } from '../features/operations/queue-gauges.ts';
import type { ReadinessCheck } from '../features/operations/readiness.ts';
import type { Route } from '../http/route.ts';
import type { OutboxHandler } from '../jobs/outbox.ts';
import { Periodic } from '../jobs/periodic.ts';
import type { MetricsCollector } from '../platform/exposition.ts';
import type { Log } from '../platform/log.ts';
import type { Module } from './module.ts';

/** The modules of a service, each after those it depends on, and what they declare together. */
export class ModuleList {
  readonly #modules: Module[] = [];
  #routes: readonly Route[] | undefined;
  #jobs: readonly Periodic[] = [];

  add<Added extends Module>(module: Added): Added {
    this.#modules.push(module);
    this.#routes = undefined;
    return module;
  }

  /** By the name of their family: the reference lists families in this order. */
  get routes(): readonly Route[] {
    this.#routes ??= this.#modules
      .flatMap(({ routes = [] }) => routes)
      .sort((one, other) => compare(familyOf(one), familyOf(other)));
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

  /** One handler for each topic, which calls the handlers of all modules. */
  get outboxHandlers(): Record<string, OutboxHandler> {
    const byTopic = new Map<string, OutboxHandler[]>();
    for (const { outbox = {} } of this.#modules)
      for (const [topic, handler] of Object.entries(outbox))
        byTopic.set(topic, [...(byTopic.get(topic) ?? []), handler]);
    return Object.fromEntries(Array.from(byTopic, ([topic, handlers]) => [topic, inTurn(handlers)]));
  }

  startJobs(log: Log): void {
    this.#jobs = this.#modules
      .flatMap(({ jobs = [] }) => jobs)
      .map(({ name, milliseconds, run }) => new Periodic(name, milliseconds, run, log));
  }

  /** Finishes what was accepted, then closes every module before those it depends on. */
  async stop(): Promise<void> {
    for (const module of this.#modules) await module.stop?.();
    for (const job of this.#jobs) await job.stop();
    for (const module of this.#modules.toReversed()) await module.close?.();
  }
}

function inTurn(handlers: readonly OutboxHandler[]): OutboxHandler {
  return async (payload) => {
    for (const handler of handlers) await handler(payload);
  };
}

const familyOf = ({ declaration }: Route): string => declaration.family.name.toLowerCase();

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

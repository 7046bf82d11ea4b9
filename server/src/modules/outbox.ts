import { Outbox } from '../jobs/outbox.ts';
import type { ControlStoreModule } from './control-store.ts';
import { type Module, type ModuleContext, second } from './module.ts';
import type { ModuleList } from './module-list.ts';

export interface OutboxDeps {
  readonly control: ControlStoreModule;
  readonly modules: Pick<ModuleList, 'outboxHandlers'>;
}

/** Dispatches messages of committed transactions to the handlers of the modules added before it. */
export function outboxModule(
  { clock, log }: ModuleContext,
  { control: { store }, modules }: OutboxDeps,
): Module {
  const outbox = new Outbox(store, clock, log, modules.outboxHandlers);
  return {
    jobs: [
      { name: 'outbox', milliseconds: second, run: () => outbox.poll() },
      { name: 'outbox leases', milliseconds: 20 * second, run: () => outbox.renewLeases() },
    ],
    queues: { outbox: () => ({ running: outbox.running }) },
    close: () => outbox.stop(),
  };
}

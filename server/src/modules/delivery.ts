import type { Transports } from '../delivery/channel.ts';
import { ChannelTest } from '../delivery/channel-test.ts';
import { Deliveries } from '../delivery/deliveries.ts';
import { deliveryMetrics } from '../delivery/delivery-metrics.ts';
import { Sender } from '../delivery/sender.ts';
import { createTransports } from '../delivery/transports.ts';
import { alertChannelRoutes } from '../features/AlertChannels/routes.ts';
import { GuardedOutbound } from '../outbound/guarded-outbound.ts';
import type { AlertsModule } from './alerts.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { IntegrationsModule } from './integrations.ts';
import { type Module, type ModuleContext, minute, second } from './module.ts';
import type { RecordSearchModule } from './record-search.ts';
import type { ReportsModule } from './reports.ts';

export interface DeliveryModule extends Module {
  readonly deliveries: Deliveries;
  readonly transports: Transports;
  /** Starts sending at once instead of at the next poll. */
  wakeSender(): void;
}

export interface DeliveryDeps {
  readonly control: ControlStoreModule;
  readonly search: RecordSearchModule;
  readonly integrations: IntegrationsModule;
  readonly alerts: AlertsModule;
  readonly reports: ReportsModule;
}

/** Sends messages about alerts, and reports, to channels. */
export function deliveryModule(
  { configuration, clock, log }: ModuleContext,
  { control, search: { scanner }, integrations: { catalogue, integrations }, alerts, reports }: DeliveryDeps,
): DeliveryModule {
  const { store, keyring } = control;
  const outbound = new GuardedOutbound({ allowsPrivate: configuration.VEDETTE_ALLOW_PRIVATE_TARGETS });
  const transports = createTransports({ outbound, configuration, environment: process.env, clock });
  const sending = { store, catalogue, keyring, outbound, transports, clock, log };
  const sender = new Sender({ ...sending, router: alerts.router, reports: reports.composer });
  const channelTest = new ChannelTest(sending);
  const deliveries = new Deliveries(store, clock);
  return {
    deliveries,
    transports,
    wakeSender: () => sender.wake(),
    routes: alertChannelRoutes({ integrations, catalogue, scanner, channelTest }),
    jobs: [
      { name: 'deliveries', milliseconds: second / 2, run: () => sender.poll() },
      { name: 'delivery leases', milliseconds: 2 * second, run: () => sender.renewLeases() },
      { name: 'dead letters', milliseconds: minute, run: () => sender.expire() },
      { name: 'orphaned deliveries', milliseconds: minute, run: () => sender.repair() },
    ],
    metrics: [() => deliveryMetrics(deliveries)],
    queues: {
      deliveries: () => ({ running: sender.running }),
      channel_tests: () => ({ running: channelTest.queue.running, waiting: channelTest.queue.waiting }),
    },
    stop: () => sender.stop(),
  };
}

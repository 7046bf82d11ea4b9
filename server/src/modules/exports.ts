import { exportMetrics } from '../delivery/export/export-metrics.ts';
import { Exporter } from '../delivery/export/exporter.ts';
import { Exports } from '../delivery/export/exports.ts';
import { nodeIdOf } from '../platform/node-id.ts';
import { retainedSince } from '../platform/retention.ts';
import { datasets } from '../telemetry/datasets.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { DeliveryModule } from './delivery.ts';
import { hour, type Module, type ModuleContext, second } from './module.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface ExportsDeps {
  readonly control: ControlStoreModule;
  readonly telemetry: TelemetryModule;
  readonly delivery: DeliveryModule;
}

/** Exports telemetry to S3 buckets, hour by hour. */
export function exportsModule(
  context: ModuleContext,
  { control: { store, place }, telemetry: { telemetry }, delivery }: ExportsDeps,
): Module {
  const { configuration, clock, log } = context;
  const exports = new Exports(store, clock);
  const exporter = new Exporter({
    ...{
      store,
      telemetry,
      s3: delivery.transports.s3,
      clock,
      log,
      datasets: datasets.map(({ path }) => path),
    },
    place,
    node: nodeIdOf(configuration.VEDETTE_DATA_DIR, true),
  });
  return {
    jobs: [
      { name: 'exports', milliseconds: 2 * second, run: () => exporter.poll() },
      {
        name: 'export retention',
        milliseconds: hour,
        run: () => exporter.deleteBefore(retainedSince(context)),
      },
    ],
    metrics: [() => exportMetrics(exports)],
    queues: { exports: () => ({ running: exporter.running }) },
    stop: () => exporter.stop(),
    close: () => exporter.settled(),
  };
}

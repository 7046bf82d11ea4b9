import type { ControlStore } from '../../control/store.ts';
import type { Deliveries } from '../../delivery/deliveries.ts';
import type { Exports } from '../../delivery/export/exports.ts';
import type { Scheduler } from '../../detection/evaluation/scheduler.ts';
import type { HttpMetrics } from '../../http/metrics.ts';
import type { SignInFailures } from '../../identity/sign-in-failures.ts';
import type { Intake } from '../../telemetry/intake.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { exposition } from './exposition.ts';

/** One section of `/metrics`, in the text format of Prometheus. No tenant is ever in a label. */
export type MetricsCollector = () => string | Promise<string>;

export interface CollectorDeps {
  readonly metrics: HttpMetrics;
  readonly store: Pick<ControlStore, 'isDiskFull'>;
  readonly telemetry: Telemetry;
  readonly deliveries: Deliveries;
  readonly exports: Exports;
  readonly scheduler: Pick<Scheduler, 'gauges'>;
  readonly failures: Pick<SignInFailures, 'counts'>;
}

export const serviceCollectors = (deps: CollectorDeps): MetricsCollector[] => [
  () => deps.metrics.text(),
  () => signInFailures(deps.failures),
  () => ingest(deps.telemetry.intake),
  () => searches(deps.telemetry),
  () => evaluations(deps.scheduler),
  () => disk(deps),
  () => deliveries(deps.deliveries),
  async () =>
    exposition({
      name: 'vedette_exports',
      type: 'gauge',
      help: 'Hours of datasets to be exported that are over, by what became of them.',
      values: { label: 'state', of: { ...(await deps.exports.counts()) } },
    }),
];

function searches({ searches }: Telemetry): string {
  return exposition({
    name: 'vedette_searches',
    type: 'gauge',
    help: 'Searches and queries of reported data that run, that wait for their turn, and whose rows are being sent.',
    values: { label: 'state', of: { ...searches } },
  });
}

function evaluations({ gauges }: Pick<Scheduler, 'gauges'>): string {
  const { lastSeconds, ...counts } = gauges;
  return exposition(
    {
      name: 'vedette_evaluations',
      type: 'gauge',
      help: 'Policies that are judged, and those of them that are overdue, that failed the last time, and that are being judged now.',
      values: { label: 'state', of: counts },
    },
    {
      name: 'vedette_evaluation_last_seconds',
      type: 'gauge',
      help: 'How long the last judgement of a policy took.',
      values: lastSeconds,
    },
  );
}

function signInFailures({ counts }: Pick<SignInFailures, 'counts'>): string {
  const samples = [...counts].flatMap(([kind, reasons]) =>
    [...reasons].map(([reason, count]) => ({ labels: { kind, reason }, value: count })),
  );
  return exposition({
    name: 'vedette_sign_in_failures_total',
    type: 'counter',
    help: 'Requests with a missing or a wrong credential, or with one for which wrong secrets were given too often.',
    values: samples,
  });
}

/** What agents sent and what became of it. */
function ingest({ counts, lost }: Intake): string {
  const { received, stored, refused, repeated } = counts;
  return exposition({
    name: 'vedette_ingest_records_total',
    type: 'counter',
    help: 'Records by what became of them; lost is 0, or a defect.',
    values: { label: 'fate', of: { received, stored, refused, repeated, lost } },
  });
}

async function disk({ telemetry, store }: Pick<CollectorDeps, 'telemetry' | 'store'>): Promise<string> {
  const { taken, spilled, free, reserved } = await telemetry.diskUse();
  return exposition(
    {
      name: 'vedette_telemetry_disk_bytes',
      type: 'gauge',
      help: 'Bytes that telemetry takes on disk.',
      values: taken,
    },
    {
      name: 'vedette_telemetry_spill_bytes',
      type: 'gauge',
      help: 'Bytes of those that hold intermediate results of searches that run.',
      values: spilled,
    },
    {
      name: 'vedette_telemetry_disk_free_bytes',
      type: 'gauge',
      help: 'Bytes that are free in the file system of telemetry.',
      values: free,
    },
    {
      name: 'vedette_telemetry_disk_reserved_bytes',
      type: 'gauge',
      help: 'Bytes that must be free there before batches are taken in.',
      values: Math.ceil(reserved),
    },
    {
      name: 'vedette_disk_full',
      type: 'gauge',
      help: 'Whether a store refuses writes because its disk is full.',
      values: {
        label: 'store',
        of: { telemetry: Number(free < reserved), control: Number(store.isDiskFull) },
      },
    },
  );
}

async function deliveries(deliveries: Deliveries): Promise<string> {
  const { oldest, ...counts } = await deliveries.counts();
  return exposition(
    {
      name: 'vedette_deliveries',
      type: 'gauge',
      help: 'Messages about alerts, by what became of them.',
      values: { label: 'state', of: counts },
    },
    {
      name: 'vedette_deliveries_oldest_waiting_seconds',
      type: 'gauge',
      help: 'How long the oldest message waits that has not arrived.',
      values: oldest,
    },
  );
}

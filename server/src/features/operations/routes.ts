import { Type } from 'typebox';
import type { ControlStore } from '../../control/store.ts';
import type { Deliveries, DeliveryCounts } from '../../delivery/deliveries.ts';
import type { ExportCounts, Exports } from '../../delivery/export/exports.ts';
import type { Scheduler } from '../../detection/evaluation/scheduler.ts';
import type { HttpMetrics } from '../../http/metrics.ts';
import { content } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Intake } from '../../telemetry/intake.ts';
import type { DiskUse, Telemetry } from '../../telemetry/telemetry.ts';

const family = { name: 'Operations', description: 'For monitors and orchestrators. No tenant data.' };

const state = Type.Object({ status: Type.String({ maxLength: 20, description: 'ok' }) });

const getHealth = defineRoute({
  method: 'GET',
  path: '/healthz',
  family,
  summary: 'Tell that the process answers',
  access: 'public',
  rate: 'exempt',
  replies: { 200: state },
});

const getReadiness = defineRoute({
  method: 'GET',
  path: '/readyz',
  family,
  summary: 'Tell whether requests can be served now',
  access: 'public',
  rate: 'exempt',
  replies: { 200: state },
  refuses: ['UNAVAILABLE'],
});

const getMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  family,
  summary: 'Show the counters in the format of Prometheus',
  access: 'public',
  rate: 'exempt',
  replies: { 200: content('text/plain; version=0.0.4; charset=utf-8', 'Counters and gauges.') },
});

export interface OperationsParts {
  readonly store: ControlStore;
  readonly metrics: HttpMetrics;
  readonly telemetry: Telemetry;
  readonly deliveries: Deliveries;
  readonly exports: Exports;
  readonly scheduler: Pick<Scheduler, 'gauges'>;
  readonly isStopping: () => boolean;
}

export const operationsRoutes = ({ store, metrics, telemetry, isStopping, ...parts }: OperationsParts) => [
  getHealth.handle(async () => ({ status: 200, body: { status: 'ok' } })),
  getReadiness.handle(async () => {
    if (isStopping()) throw new Refusal('UNAVAILABLE', 'The service is stopping: send requests elsewhere.');
    await store.ping().catch(() => {
      throw new Refusal('UNAVAILABLE', 'The control store does not answer.');
    });
    return { status: 200, body: { status: 'ok' } };
  }),
  getMetrics.handle(async () => {
    const texts = [
      await metrics.text(),
      intakeText(telemetry.intake),
      searchesText(telemetry),
      evaluationsText(parts.scheduler),
      diskText(await telemetry.diskUse()),
      deliveriesText(await parts.deliveries.counts()),
      exportsText(await parts.exports.counts()),
    ];
    return { status: 200, body: texts.join('\n') };
  }),
];

function searchesText({ searches }: Telemetry): string {
  const lines = Object.entries(searches).map(
    ([state, count]) => `vedette_searches{state="${state}"} ${count}`,
  );
  return [
    '# HELP vedette_searches Searches and queries of reported data that run, that wait for their turn, and whose rows are being sent.',
    '# TYPE vedette_searches gauge',
    ...lines,
    '',
  ].join('\n');
}

function evaluationsText({ gauges }: Pick<Scheduler, 'gauges'>): string {
  const { lastSeconds, ...counts } = gauges;
  const lines = Object.entries(counts).map(
    ([state, count]) => `vedette_evaluations{state="${state}"} ${count}`,
  );
  return [
    '# HELP vedette_evaluations Policies that are judged, and those of them that are overdue, that failed the last time, and that are being judged now.',
    '# TYPE vedette_evaluations gauge',
    ...lines,
    '# HELP vedette_evaluation_last_seconds How long the last judgement of a policy took.',
    '# TYPE vedette_evaluation_last_seconds gauge',
    `vedette_evaluation_last_seconds ${lastSeconds}`,
  ].join('\n');
}

/** What agents sent and what became of it. */
function intakeText({ counts, lost }: Intake): string {
  const { received, stored, refused, repeated } = counts;
  const lines = Object.entries({ received, stored, refused, repeated, lost }).map(
    ([fate, records]) => `vedette_ingest_records_total{fate="${fate}"} ${records}`,
  );
  return [
    '# HELP vedette_ingest_records_total Records by what became of them; lost is 0, or a defect.',
    '# TYPE vedette_ingest_records_total counter',
    ...lines,
  ].join('\n');
}

function diskText({ taken, free }: DiskUse): string {
  return [
    '# HELP vedette_telemetry_disk_bytes Bytes that telemetry takes on disk.',
    '# TYPE vedette_telemetry_disk_bytes gauge',
    `vedette_telemetry_disk_bytes ${taken}`,
    '# HELP vedette_telemetry_disk_free_bytes Bytes that are free in the file system of telemetry.',
    '# TYPE vedette_telemetry_disk_free_bytes gauge',
    `vedette_telemetry_disk_free_bytes ${free}`,
    '',
  ].join('\n');
}

function deliveriesText({ oldest, ...counts }: DeliveryCounts): string {
  return [
    '# HELP vedette_deliveries Messages about alerts, by what became of them.',
    '# TYPE vedette_deliveries gauge',
    ...Object.entries(counts).map(([state, count]) => `vedette_deliveries{state="${state}"} ${count}`),
    '# HELP vedette_deliveries_oldest_waiting_seconds How long the oldest message waits that has not arrived.',
    '# TYPE vedette_deliveries_oldest_waiting_seconds gauge',
    `vedette_deliveries_oldest_waiting_seconds ${oldest}`,
    '',
  ].join('\n');
}

function exportsText(counts: ExportCounts): string {
  return [
    '# HELP vedette_exports Hours of datasets to be exported that are over, by what became of them.',
    '# TYPE vedette_exports gauge',
    ...Object.entries(counts).map(([state, count]) => `vedette_exports{state="${state}"} ${count}`),
    '',
  ].join('\n');
}

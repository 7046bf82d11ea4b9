import type { ControlStore } from '../control/store.ts';
import { exposition } from '../platform/exposition.ts';
import type { Intake } from './intake.ts';
import type { Telemetry } from './telemetry.ts';

export function ingestMetrics({ counts, lost }: Pick<Intake, 'counts' | 'lost'>): string {
  const { received, stored, refused, repeated } = counts;
  return exposition({
    name: 'vedette_ingest_records_total',
    type: 'counter',
    help: 'Records by outcome; lost is 0, or a defect.',
    values: { label: 'fate', of: { received, stored, refused, repeated, lost } },
  });
}

export function searchMetrics({ searches }: Pick<Telemetry, 'searches'>): string {
  return exposition({
    name: 'vedette_searches',
    type: 'gauge',
    help: 'Running searches and queries, queued ones, and those whose rows are being sent.',
    values: { label: 'state', of: { ...searches } },
  });
}

/** Includes the control store's disk, because all samples of a metric belong together. */
export async function diskMetrics(
  telemetry: Pick<Telemetry, 'diskUse'>,
  control: Pick<ControlStore, 'isDiskFull'>,
): Promise<string> {
  const { used: usedBytes, spilled, free, reserved } = await telemetry.diskUse();
  return exposition(
    {
      name: 'vedette_telemetry_disk_bytes',
      type: 'gauge',
      help: 'Disk usage of telemetry, in bytes.',
      values: usedBytes,
    },
    {
      name: 'vedette_telemetry_spill_bytes',
      type: 'gauge',
      help: 'Disk usage of the intermediate results of running searches, in bytes; part of the telemetry disk usage.',
      values: spilled,
    },
    {
      name: 'vedette_telemetry_disk_free_bytes',
      type: 'gauge',
      help: 'Free space in the file system of telemetry, in bytes.',
      values: free,
    },
    {
      name: 'vedette_telemetry_disk_reserved_bytes',
      type: 'gauge',
      help: 'Free space required to accept batches, in bytes.',
      values: Math.ceil(reserved),
    },
    {
      name: 'vedette_disk_full',
      type: 'gauge',
      help: 'Whether a store refuses writes because its disk is full.',
      values: {
        label: 'store',
        of: { telemetry: Number(free < reserved), control: Number(control.isDiskFull) },
      },
    },
  );
}

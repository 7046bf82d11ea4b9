import type { ControlStore } from '../control/store.ts';
import { exposition } from '../platform/exposition.ts';
import type { Intake } from './intake.ts';
import type { Telemetry } from './telemetry.ts';

/** Counts records by what became of them. */
export function ingestMetrics({ counts, lost }: Pick<Intake, 'counts' | 'lost'>): string {
  const { received, stored, refused, repeated } = counts;
  return exposition({
    name: 'vedette_ingest_records_total',
    type: 'counter',
    help: 'Records by what became of them; lost is 0, or a defect.',
    values: { label: 'fate', of: { received, stored, refused, repeated, lost } },
  });
}

export function searchMetrics({ searches }: Pick<Telemetry, 'searches'>): string {
  return exposition({
    name: 'vedette_searches',
    type: 'gauge',
    help: 'Searches and queries of reported data that run, that wait for their turn, and whose rows are being sent.',
    values: { label: 'state', of: { ...searches } },
  });
}

/** Includes the disk of the control store: all samples of a metric belong into one section. */
export async function diskMetrics(
  telemetry: Pick<Telemetry, 'diskUse'>,
  control: Pick<ControlStore, 'isDiskFull'>,
): Promise<string> {
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
        of: { telemetry: Number(free < reserved), control: Number(control.isDiskFull) },
      },
    },
  );
}

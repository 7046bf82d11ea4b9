import type { TelemetryDataset } from '../telemetry/dataset.ts';
import type { Company } from './company/company.ts';
import type { Machine } from './company/machine.ts';
import { type Hour, hourLength, timestampText } from './hour.ts';
import type { Random } from './random.ts';

/** Members that are undefined are left out of the text, and so of what is sent. */
export type SimulatedRecord = Readonly<Record<string, unknown>>;

/** What a company reports to one dataset. */
export interface Stream {
  readonly dataset: TelemetryDataset;
  /** The records of an hour; `random` is that of this dataset and hour. */
  ofHour(company: Company, hour: Hour, random: Random): Iterable<SimulatedRecord>;
}

/** Agents tell what a machine is made of twice a day, so that a search of the last 24 hours finds it. */
const snapshotHours = 12;

/** A stream of what machines are made of: all of it whenever the agent takes a snapshot. */
export function snapshots(
  dataset: TelemetryDataset,
  recordsOf: (machine: Machine, company: Company) => Iterable<SimulatedRecord>,
): Stream {
  return {
    dataset,
    *ofHour(company, { start }) {
      for (const machine of company.machines) {
        const createdTime = snapshotTime(machine, start);
        if (createdTime === undefined) continue;
        for (const record of recordsOf(machine, company)) yield { createdTime, ...record };
      }
    },
  };
}

/** A stream with records of every machine for every hour. */
export function hourly(
  dataset: TelemetryDataset,
  recordsOf: (machine: Machine, hour: Hour, random: Random, company: Company) => Iterable<SimulatedRecord>,
): Stream {
  return {
    dataset,
    *ofHour(company, hour, random) {
      for (const machine of company.machines) yield* recordsOf(machine, hour, random, company);
    },
  };
}

function snapshotTime({ index }: Machine, start: number): string | undefined {
  if ((start / hourLength + index) % snapshotHours !== 0) return undefined;
  return timestampText(start + ((index * 7_919) % hourLength));
}

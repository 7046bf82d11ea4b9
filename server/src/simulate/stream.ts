import type { TelemetryDataset } from '../telemetry/dataset.ts';
import type { Company } from './company/company.ts';
import type { Machine } from './company/machine.ts';
import { type Hour, isoTimestamp, millisecondsPerHour } from './hour.ts';
import type { Random } from './random.ts';

/** Undefined members are omitted from the JSON. */
export type SimulatedRecord = Readonly<Record<string, unknown>>;

/** Generates the records of one dataset. */
export interface Stream {
  readonly dataset: TelemetryDataset;
  /** The records of an hour; `random` is seeded by dataset and hour. */
  ofHour(company: Company, hour: Hour, random: Random): Iterable<SimulatedRecord>;
  /** The records of one host at any time of the hour; those of inventories are not stamped. Absent for clouds. */
  ofHost?(company: Company, machine: Machine, hour: Hour, random: Random): Iterable<SimulatedRecord>;
}

/** Agents report inventories twice a day, so that a search of the last 24 hours finds them. */
const snapshotHours = 12;

/** A stream of host inventories, complete at each snapshot. */
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
    ofHost: (company, machine) => recordsOf(machine, company),
  };
}

/** A stream with records of every host for every hour. */
export function hourly(
  dataset: TelemetryDataset,
  recordsOf: (machine: Machine, hour: Hour, random: Random, company: Company) => Iterable<SimulatedRecord>,
): Stream {
  return {
    dataset,
    *ofHour(company, hour, random) {
      for (const machine of company.machines) yield* recordsOf(machine, hour, random, company);
    },
    ofHost: (company, machine, hour, random) => recordsOf(machine, hour, random, company),
  };
}

function snapshotTime({ index }: Machine, start: number): string | undefined {
  if ((start / millisecondsPerHour + index) % snapshotHours !== 0) return undefined;
  return isoTimestamp(start + ((index * 7_919) % millisecondsPerHour));
}

import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import type { Company } from '../company/company.ts';
import type { Hour } from '../hour.ts';
import type { Random } from '../random.ts';
import type { SimulatedRecord } from '../stream.ts';

/** Records by dataset. */
export type IncidentRecords = readonly (readonly [TelemetryDataset, ...SimulatedRecord[]])[];

/** The context of an incident. */
export interface IncidentContext {
  readonly company: Company;
  readonly hour: Hour;
  /** Epoch milliseconds in the first half of the hour. */
  readonly instant: number;
  readonly random: Random;
}

/** An incident that detection should find. Each occurs once a day. */
export interface Incident {
  /** Also a seed of the random generator: changing it changes the simulation. */
  readonly name: string;
  /** All records of it that agents and clouds report. */
  generate(context: IncidentContext): IncidentRecords;
}

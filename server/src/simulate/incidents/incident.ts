import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import type { Company } from '../company/company.ts';
import type { Hour } from '../hour.ts';
import type { Random } from '../random.ts';
import type { SimulatedRecord } from '../stream.ts';

/** Records with the dataset that they belong to. */
export type Traces = readonly (readonly [TelemetryDataset, ...SimulatedRecord[]])[];

/** When and to whom an incident happens. */
export interface Occasion {
  readonly company: Company;
  readonly hour: Hour;
  /** Epoch milliseconds within the hour, with time left for what follows. */
  readonly instant: number;
  readonly random: Random;
}

/** Something that ought to be noticed. Each happens once a day. */
export interface Incident {
  readonly name: string;
  /** Everything that agents and clouds report of it. */
  happen(occasion: Occasion): Traces;
}

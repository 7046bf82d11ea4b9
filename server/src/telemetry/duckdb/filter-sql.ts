import type { Filter } from '../../search/filter.ts';
import type { TelemetryDataset } from '../dataset.ts';
import type { Condition } from './reader.ts';

export function compileFilter(_filter: Filter, _dataset: TelemetryDataset): Condition {
  throw new Error('not yet');
}

import { datasets } from '@vedette/server/telemetry/datasets';
import { RecordCheck } from '@vedette/server/telemetry/record-check';
import type { DatasetPath } from '../datasets.ts';
import { HourMemory } from '../journal/hour-memory.ts';
import { entriesOf } from '../report.ts';
import type { Observation } from '../source.ts';

/** The records of an observation as the server accepts them; throws if it refuses one. */
export function acceptedRecords(observation: Observation, path: DatasetPath, at = Date.now()) {
  const dataset = datasets.find((one) => one.path === path);
  if (!dataset) throw new Error(`The server has no dataset ${path}.`);
  const check = new RecordCheck(dataset, at);
  const context = { source: 'test', mid: 4107, at, memory: new HourMemory() };
  return entriesOf(observation, context)
    .flatMap(({ batches }) => batches)
    .filter((batch) => batch.path === path)
    .flatMap(({ body }) => body.split('\n'))
    .map((line, index) => check.record(line, index));
}

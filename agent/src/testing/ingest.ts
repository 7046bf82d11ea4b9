import { datasets } from '@vedette/server/telemetry/datasets';
import { RecordCheck } from '@vedette/server/telemetry/record-check';
import { HourMemory } from '../journal/hour-memory.ts';
import { entriesOf } from '../report.ts';
import type { Observation } from '../source.ts';

/** The records of an observation as the server stores them. Throws if it refuses one. */
export function ingested(observation: Observation, at: number): Record<string, Record<string, unknown>[]> {
  const stored: Record<string, Record<string, unknown>[]> = {};
  for (const { batches } of entriesOf(observation, { source: 'test', mid: 7, at, memory: new HourMemory() }))
    for (const { path, body } of batches) {
      const dataset = datasets.find((candidate) => candidate.path === path);
      if (!dataset) throw new Error(`The server has no dataset ${path}.`);
      const check = new RecordCheck(dataset, at);
      stored[path] = [
        ...(stored[path] ?? []),
        ...body.split('\n').map((line, index) => check.record(line, index)),
      ];
    }
  return stored;
}

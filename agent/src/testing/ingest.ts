import { datasets } from '@vedette/server/telemetry/datasets';
import { RecordCheck } from '@vedette/server/telemetry/record-check';
import type { DatasetPath } from '../datasets.ts';
import type { Host } from '../host/host.ts';
import { HourMemory } from '../journal/hour-memory.ts';
import { entriesOf } from '../report.ts';
import type { Observation, Source } from '../source.ts';

type Stored = Readonly<Record<string, unknown>>;

/** The records of an observation as the server stores them, by dataset. Throws if it refuses one. */
export function ingested(
  observation: Observation,
  at = Date.now(),
): Readonly<Partial<Record<DatasetPath, readonly Stored[]>>> {
  const stored: Partial<Record<DatasetPath, Stored[]>> = {};
  for (const { batches } of entriesOf(observation, { source: 'test', mid: 7, at, memory: new HourMemory() }))
    for (const { path, body } of batches) {
      const dataset = datasets.find((candidate) => candidate.path === path);
      if (!dataset) throw new Error(`The server has no dataset ${path}.`);
      const check = new RecordCheck(dataset, at);
      const records = body.split('\n').map((line, index) => check.record(line, index));
      stored[path] = [...(stored[path] ?? []), ...records];
    }
  return stored;
}

/** Those of one dataset. */
export function ingestedAs(path: DatasetPath, observation: Observation, at?: number): readonly Stored[] {
  return ingested(observation, at)[path] ?? [];
}

/** Observes, and checks all records as the server does. */
export async function observe(host: Host, source: Source, cursor?: unknown): Promise<Observation> {
  const observation = await source.observe(host, cursor);
  ingested(observation, host.now());
  return observation;
}

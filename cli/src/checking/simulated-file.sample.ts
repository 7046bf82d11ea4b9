import { join } from 'node:path';
import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import { Collection } from '@vedette/server/collect/inventory/collection';
import { CollectError, type Problem } from '@vedette/server/collect/inventory/problem';
import type { Reading } from '@vedette/server/collect/inventory/reading';
import { cloudsAt } from '@vedette/server/simulate/clouds/clouds';
import { type Company, createCompany } from '@vedette/server/simulate/company/company';
import { FileSink } from '../collecting/file-sink.ts';
import { OutputFile } from '../output-file.ts';
import { simulatedTargets } from '../simulation/clouds/simulated-targets.ts';

export const company: Company = createCompany({ hosts: 5, seed: 7 });

export interface SimulatedFileOptions {
  /** Kinds that the credentials may not read. */
  readonly denied?: readonly string[];
  readonly problems?: readonly Problem[];
  /** Changes what is read. */
  readonly alter?: (reading: Reading) => Reading;
  readonly name?: string;
}

/** Writes a cloud of the simulated company as `collect --to` does; returns the path. */
export async function simulatedFile(
  directory: string,
  cloud: Cloud,
  {
    denied = [],
    problems = [],
    alter = (reading) => reading,
    name = `${cloud}.ndjson`,
  }: SimulatedFileOptions = {},
): Promise<string> {
  const path = join(directory, name);
  const file = await OutputFile.open(path);
  const sink = await FileSink.open(file, cloud);
  const clock = { now: () => Date.now() - 60_000 };
  const targets = await simulatedTargets(company, cloudsAt(company, clock.now()));
  for (const { cloudAccount, readings } of targets.filter((target) => target.cloud === cloud)) {
    const collection = new Collection({ cloudAccount, sink, clock });
    const altered = readings.map((reading) => deny(alter(reading), denied));
    await collection.run(altered, new AbortController().signal, () => {});
  }
  await sink.end(problems);
  await file.finish();
  return path;
}

function deny(reading: Reading, denied: readonly string[]): Reading {
  if (!reading.kinds.some((kind) => denied.includes(kind))) return reading;
  return {
    ...reading,
    async read() {
      throw new CollectError({ status: 'denied', reason: 'AccessDenied: not authorized' });
    },
  };
}

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Simulation } from '@vedette/server/simulate/simulation';
import { machineDetails } from '@vedette/server/telemetry/datasets/MachineDetails';
import type { Place } from '../bench.ts';
import { accountOf, companySize, end, lived, openStore } from '../telemetry/data.ts';

const limits = { memory: '512MB', threads: 2 };

/** Two weeks of connections, and what the machines that they begin at are, of one day. */
export async function livedWithMachines(place: Place, millions: number): Promise<void> {
  await lived(place, millions);
  const mark = join(place.directory, 'machines');
  if (existsSync(mark)) return;
  const store = await openStore(place, limits, () => end);
  const portions = [...new Simulation(companySize(millions)).portions(end, 1)];
  const records = portions
    .filter(({ dataset }) => dataset === machineDetails)
    .flatMap((portion) => [...portion.records()].map((record) => JSON.stringify(record)));
  await store.store({
    ...{ account: accountOf(place), dataset: machineDetails, records },
    ...{ isWellTyped: false, undeclaredMembers: [], idempotencyKey: undefined },
  });
  await store.close();
  writeFileSync(mark, `${records.length}\n`);
}

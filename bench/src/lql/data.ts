import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Simulation } from '@vedette/server/simulate/simulation';
import { machineDetails } from '@vedette/server/telemetry/datasets/MachineDetails';
import type { Workspace } from '../bench.ts';
import { accountOf, companySize, end, openStore, prepareTelemetry } from '../telemetry/data.ts';

const limits = { memory: '512MB', threads: 2 };

/** Two weeks of connections, and the details of their source hosts for one day. */
export async function prepareTelemetryAndHosts(workspace: Workspace, millions: number): Promise<void> {
  await prepareTelemetry(workspace, millions);
  const marker = join(workspace.directory, 'machines');
  if (existsSync(marker)) return;
  const store = await openStore(workspace, limits, () => end);
  const portions = [...new Simulation(companySize(millions)).portions(end, 1)];
  const records = portions
    .filter(({ dataset }) => dataset === machineDetails)
    .flatMap((portion) => [...portion.records()].map((record) => JSON.stringify(record)));
  await store.store({
    ...{ account: accountOf(workspace), dataset: machineDetails, records },
    ...{ isWellTyped: false, undeclaredMembers: [], idempotencyKey: undefined },
  });
  await store.close();
  writeFileSync(marker, `${records.length}\n`);
}

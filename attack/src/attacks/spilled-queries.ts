import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineAttack, megabytes, none } from '../attack.ts';
import { executionOf, fillJoinedRecords, spillingQuery } from '../records.ts';
import { isAcceptable } from '../status.ts';
import { timeUntil } from '../wait.ts';

const cap = 1_000;
const queries = 2;

export default defineAttack({
  name: 'spilled-queries',
  description: 'Runs queries whose rows do not fit into memory and measures their disk usage.',
  bounds: { telemetryOnDisk: megabytes(cap * 1.1), spilledAfterwards: megabytes(0), failures: none },
  timeLimit: 200,
  settings: { VEDETTE_DISK_CAP: `${cap}MB`, VEDETTE_TELEMETRY_MEMORY: '256MB' },
  async measure(target) {
    const client = await target.greedy();
    await fillJoinedRecords(await target.agentOf(client), 20_000);
    const telemetry = join(target.directory, 'telemetry');
    let telemetryOnDisk = 0;
    const watch = setInterval(() => {
      telemetryOnDisk = Math.max(telemetryOnDisk, sizeOf(telemetry));
    }, 50);
    const body = executionOf(spillingQuery);
    const statuses = await Promise.all(
      Array.from({ length: queries }, () => client.status('POST', '/api/v2/Queries/execute', { body })),
    ).finally(() => clearInterval(watch));
    const spill = join(telemetry, 'spill');
    await timeUntil(() => sizeOf(spill) === 0, 10_000);
    return {
      ...{ telemetryOnDisk, spilledAfterwards: sizeOf(spill) },
      failures: statuses.filter((status) => !isAcceptable(status)).length,
    };
  },
});

/** Megabytes of all files below a folder; files removed meanwhile do not count. */
function sizeOf(folder: string): number {
  try {
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return (
      entries.reduce((total, entry) => {
        const stat = statSync(join(folder, entry), { throwIfNoEntry: false });
        return total + (stat?.isFile() ? stat.blocks * 512 : 0);
      }, 0) / 1e6
    );
  } catch {
    return 0;
  }
}

import { join } from 'node:path';
import { connections } from '@vedette/server/telemetry/datasets/Connections';
import { DayFiles } from '../baselines/day-files.ts';
import type { Workspace } from '../bench.ts';

/** The number of stored connections of a stopped server. */
export async function storedRows(workspace: Workspace): Promise<number> {
  const days = join(workspace.dataDirectory, 'telemetry/days');
  const files = await DayFiles.open(days, { memory: '1GB', threads: 2 });
  const table = await files.table(connections.path);
  const [count] = await files.rows(`select count(*)::varchar as "row" from ${table}`);
  files.close();
  return Number(Buffer.from(count ?? []).toString());
}

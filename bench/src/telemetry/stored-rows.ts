import { join } from 'node:path';
import { connections } from '@vedette/server/telemetry/datasets/Connections';
import { DayFiles } from '../baselines/day-files.ts';
import type { Place } from '../bench.ts';

/** How many connections lie in the files of a server that does not run. */
export async function storedRows(place: Place): Promise<number> {
  const days = join(place.dataDirectory, 'telemetry/days');
  const files = await DayFiles.open(days, { memory: '1GB', threads: 2 });
  const table = await files.table(connections.path);
  const [count] = await files.rows(`select count(*)::varchar as "row" from ${table}`);
  files.close();
  return Number(Buffer.from(count ?? []).toString());
}

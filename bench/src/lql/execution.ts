import { join } from 'node:path';
import { analyse } from '@vedette/lql/analyse';
import { compile } from '@vedette/lql/compile/compile';
import { duckdb } from '@vedette/lql/compile/duckdb/duckdb';
import { report as explain } from '@vedette/lql/text/report';
import { DatasourceCatalogue } from '@vedette/server/datasources/catalogue';
import { shippedPacks } from '@vedette/server/detection/packs/pack';
import { datasets } from '@vedette/server/telemetry/datasets';
import { connections } from '@vedette/server/telemetry/datasets/Connections';
import { machineDetails } from '@vedette/server/telemetry/datasets/MachineDetails';
import type { TelemetryStore } from '@vedette/server/telemetry/store';
import { DayFiles } from '../baselines/day-files.ts';
import { runBench, type Workspace } from '../bench.ts';
import { timePairs } from '../pairs.ts';
import { reportPairs } from '../report.ts';
import { accountOf, days, end, openStore } from '../telemetry/data.ts';
import { prepareTelemetryAndHosts } from './data.ts';
import { queries } from './queries.ts';

const limit = 1.15;
const pairs = 31;
const millions = 5.1;
/** The defaults of the server. */
const limits = { memory: '512MB', threads: 2 };
const day = 86_400_000;
/** The default limit of a query. */
const defaultRows = 5_000;
const range = { start: end - days * day, end };

const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });

await runBench(
  { bench: 'lql-execution', limit, timeLimit: 1_800_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** From LQL to rows, against a hand-written statement, on the same files. */
async function measure(workspace: Workspace): Promise<number> {
  await prepareTelemetryAndHosts(workspace, millions);
  const store = await openStore(workspace, limits, () => end);
  const raw = await DayFiles.open(join(workspace.dataDirectory, 'telemetry/days'), limits);
  const tables = {
    connections: await raw.table(connections.path),
    machines: await raw.table(machineDetails.path),
    inRange: `t >= ${range.start} and t < ${range.end}`,
  };
  const medians: number[] = [];
  for (const query of queries) {
    const statement = query.raw(tables);
    const run = () => rowsOf(store, query.lql, accountOf(workspace));
    const read = () => raw.rows(statement);
    const rows = requireSameRows(query.name, await run(), await read());
    const timed = await timePairs(pairs, run, read);
    reportPairs(
      query.name,
      `for ${rows} rows, from LQL`,
      'for the same rows, by the hand-written statement',
      timed,
    );
    medians.push(Math.ceil(timed.ratio.median * 100) / 100);
  }
  raw.close();
  await store.close();
  return Math.max(...medians);
}

async function rowsOf(store: TelemetryStore, lql: string, account: string): Promise<Uint8Array> {
  const { query, problems } = analyse(lql, catalogue);
  if (!query) throw new Error(explain(lql, problems));
  const chunks: Uint8Array[] = [];
  await store.query(
    account,
    (tables) =>
      compile(query, {
        dialect: duckdb,
        tables,
        bounds: { account, ...range },
        now: end,
        limit: defaultRows,
      }),
    (chunk) => void chunks.push(chunk),
    new AbortController().signal,
    () => undefined,
  );
  return Buffer.concat(chunks);
}

/** Returns the number of rows; neither side guarantees an order. */
function requireSameRows(name: string, ours: Uint8Array, raw: readonly Uint8Array[]): number {
  const own = (JSON.parse(`[${Buffer.from(ours)}]`) as object[]).map((row) => JSON.stringify(row)).sort();
  const other = raw.map((row) => Buffer.from(row).toString()).sort();
  if (own.length !== other.length || own.some((row, at) => row !== other[at]))
    throw new Error(
      `'${name}' returns other rows (${own.length}, hand-written ${other.length}): ${own[0]}, ${other[0]}`,
    );
  if (own.length === 0) throw new Error(`'${name}' returns no rows.`);
  return own.length;
}

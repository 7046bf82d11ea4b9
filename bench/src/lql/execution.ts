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
import { type Place, runBench } from '../bench.ts';
import { timePairs } from '../pairs.ts';
import { reportPairs } from '../report.ts';
import { accountOf, days, end, openStore } from '../telemetry/data.ts';
import { livedWithMachines } from './data.ts';
import { questions } from './questions.ts';

const limit = 1.15;
const pairs = 31;
const millions = 5.1;
/** What the server has when nobody sets anything. */
const limits = { memory: '512MB', threads: 2 };
const day = 86_400_000;
/** What clients get that ask for no number. */
const usualRows = 5_000;
const range = { start: end - days * day, end };

const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });

await runBench(
  { bench: 'lql-execution', limit, timeLimit: 1_800_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** From the text of a query to its rows, against the statement that somebody would write by hand, on the same files. */
async function measure(place: Place): Promise<number> {
  await livedWithMachines(place, millions);
  const store = await openStore(place, limits, () => end);
  const raw = await DayFiles.open(join(place.dataDirectory, 'telemetry/days'), limits);
  const tables = {
    connections: await raw.table(connections.path),
    machines: await raw.table(machineDetails.path),
    inRange: `t >= ${range.start} and t < ${range.end}`,
  };
  const medians: number[] = [];
  for (const asked of questions) {
    const statement = asked.raw(tables);
    const ask = () => rowsOf(store, asked.text, accountOf(place));
    const read = () => raw.rows(statement);
    const rows = sameRows(asked.name, await ask(), await read());
    const timed = await timePairs(pairs, ask, read);
    reportPairs(
      asked.name,
      `for ${rows} rows, from the text of the query`,
      'for the same rows, by hand',
      timed,
    );
    medians.push(Math.ceil(timed.ratio.median * 100) / 100);
  }
  raw.close();
  await store.close();
  return Math.max(...medians);
}

async function rowsOf(store: TelemetryStore, text: string, account: string): Promise<Uint8Array> {
  const { query, problems } = analyse(text, catalogue);
  if (!query) throw new Error(explain(text, problems));
  const chunks: Uint8Array[] = [];
  await store.query(
    account,
    (tables) =>
      compile(query, { dialect: duckdb, tables, bounds: { account, ...range }, now: end, limit: usualRows }),
    (chunk) => void chunks.push(chunk),
    new AbortController().signal,
    () => undefined,
  );
  return Buffer.concat(chunks);
}

/** How many there are; neither side promises an order. */
function sameRows(name: string, ours: Uint8Array, raw: readonly Uint8Array[]): number {
  const own = (JSON.parse(`[${Buffer.from(ours)}]`) as object[]).map((row) => JSON.stringify(row)).sort();
  const other = raw.map((row) => Buffer.from(row).toString()).sort();
  if (own.length !== other.length || own.some((row, at) => row !== other[at]))
    throw new Error(
      `'${name}' gives other rows (${own.length}, by hand ${other.length}): ${own[0]}, ${other[0]}`,
    );
  if (own.length === 0) throw new Error(`'${name}' finds nothing.`);
  return own.length;
}

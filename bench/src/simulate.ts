import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Simulation } from '@vedette/server/simulate/simulation';
import { RawDocuments } from './baselines/duckdb-documents.ts';
import { runBench, type Workspace } from './bench.ts';
import { timePairs } from './pairs.ts';
import { report, reportPairs } from './report.ts';
import type { Sample } from './sample.ts';

const limit = 4;
const pairs = 15;
const [hosts, days] = [20, 1];
const end = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const limits = { memory: '512MB', threads: 2 };
const command = fileURLToPath(new URL('../../cli/bin/vedette.js', import.meta.url));
const run = promisify(execFile);

await runBench(
  { bench: 'simulate', limit, timeLimit: 1_800_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** `vedette simulate` from its start to its end, against generating the same records and storing them durably. */
async function measure(workspace: Workspace): Promise<number> {
  const server = await workspace.startServer();
  const raw = await RawDocuments.open(workspace.directory, limits);
  const counts = { ours: 0, raw: 0 };
  const simulate = async (seed: number, forDays = days) => {
    const environment = { ...process.env, VEDETTE_DATA_DIR: workspace.dataDirectory };
    const options = [
      '--hosts',
      `${hosts}`,
      '--days',
      `${forDays}`,
      '--seed',
      `${seed}`,
      '--json',
      '--no-clouds',
    ];
    const url = `http://127.0.0.1:${server.port}`;
    const { stdout } = await run(process.execPath, [command, 'simulate', ...options, '--url', url], {
      env: environment,
    });
    const { stored, seconds } = JSON.parse(stdout) as { stored: number; seconds: number };
    return { stored, seconds };
  };
  let [ourSeed, rawSeed] = [0, 0];
  const ours = async () => {
    counts.ours += (await simulate(++ourSeed)).stored;
  };
  const insert = async () => {
    counts.raw += await insertSimulated(raw, ++rawSeed);
  };
  await ours();
  await insert();
  const timed = await timePairs(pairs, ours, insert);
  if (counts.ours !== counts.raw || (await raw.count()) !== counts.raw)
    throw new Error(`The server stored ${counts.ours} records, the engine ${counts.raw}.`);
  const perRun = counts.ours / (pairs + 1);
  reportPairs(
    `${hosts} hosts for ${days} day, ${perRun.toFixed(0)} records`,
    `by vedette simulate, ${rate(perRun, timed.ours)}`,
    `by the engine alone, ${rate(perRun, timed.raw)}`,
    timed,
  );
  const week = await simulate(1_000, 7);
  report(
    `${hosts} hosts for 7 days`,
    `${week.seconds.toFixed(1)} s, ${week.stored} records, ${(week.stored / week.seconds).toFixed(0)} records/s`,
  );
  raw.close();
  await server.stop();
  return Math.ceil(timed.ratio.median * 100) / 100;
}

async function insertSimulated(raw: RawDocuments, seed: number): Promise<number> {
  let [records, dataset, member, lines]: [number, string, string, string[]] = [0, '', '', []];
  const flush = async () => {
    if (lines.length > 0) await raw.insert(dataset, member, lines.join('\n'));
    records += lines.length;
    lines = [];
  };
  for (const portion of new Simulation({ hosts, seed }).portions(end, days)) {
    if (portion.dataset.path !== dataset) await flush();
    dataset = portion.dataset.path;
    member = portion.dataset.range.by === 'instant' ? portion.dataset.range.member : 'startTime';
    for (const record of portion.records()) lines.push(JSON.stringify(record));
  }
  await flush();
  return records;
}

function rate(records: number, times: Sample): string {
  return `${(records / times.median).toFixed(1)} thousand records/s`;
}

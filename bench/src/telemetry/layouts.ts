import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FilterBody, readFilter } from '@vedette/server/search/filter';
import { connections } from '@vedette/server/telemetry/datasets/Connections';
import { fieldsOf } from '@vedette/server/telemetry/record-form';
import { type Layout, RawTelemetry } from '../baselines/duckdb.ts';
import { runBench, type Workspace } from '../bench.ts';
import { timeOf } from '../pairs.ts';
import { Sample } from '../sample.ts';
import { accountOf, openStore, prepareTelemetry, sampleHost } from './data.ts';
import { type BenchSearch, searches } from './searches.ts';

/** Maximum ratio of the chosen layout to the fastest, over all searches. */
const limit = 1.3;
const rounds = 15;
const millions = 5.1;
const limits = { memory: '512MB', threads: 2 };

const layouts: Readonly<Record<string, Layout>> = {
  'one file, in arrival order, FSST': { storage: 'standard', order: 'arrival' },
  'one file, in arrival order, DICT_FSST': { storage: 'latest', order: 'arrival' },
  'one file, in arrival order, documents zstd': { storage: 'latest', docs: 'zstd', order: 'arrival' },
  'one file, in arrival order, documents plain': {
    storage: 'latest',
    docs: 'uncompressed',
    order: 'arrival',
  },
  'one file, by host, documents plain': { storage: 'latest', docs: 'uncompressed', order: 'host' },
  'one file, in result order, documents plain': {
    storage: 'latest',
    docs: 'uncompressed',
    order: 'result',
  },
};
const chosen = 'day files, in result order, plain for a week, then zstd';

interface Candidate {
  readonly name: string;
  readonly megabytes: number;
  search(search: BenchSearch): Promise<unknown>;
}

await runBench(
  { bench: 'telemetry-layouts', limit, timeLimit: 3_600_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** The same searches, in this process, on every layout, interleaved. */
async function measure(workspace: Workspace): Promise<number> {
  await prepareTelemetry(workspace, millions);
  const days = join(workspace.dataDirectory, 'telemetry/days');
  const candidates: Candidate[] = [];
  for (const [at, [name, layout]] of Object.entries(layouts).entries()) {
    const file = join(workspace.directory, `layout-${at}.duckdb`);
    process.stderr.write(`building '${name}'\n`);
    if (!existsSync(file)) await RawTelemetry.build(file, days, connections.path, layout);
    const raw = await RawTelemetry.open(limits);
    await raw.attach(file);
    const search = ({ raw: rawSearch }: BenchSearch) => raw.search('page beside count', rawSearch);
    candidates.push({ name, megabytes: statSync(file).size / 1e6, search });
  }
  candidates.push(await ours(workspace, days));
  const cases = searches(sampleHost(millions));
  const times = new Map(candidates.map(({ name }) => [name, cases.map(() => new Sample())]));
  for (let round = 0; round <= rounds; round++) {
    for (const [at, one] of cases.entries()) {
      for (const { name, search } of candidates) {
        const time = await timeOf(() => search(one));
        // The first round warms up.
        if (round > 0) times.get(name)?.[at]?.add(time);
      }
    }
  }
  const sums = candidates.map(({ name, megabytes }) => {
    const medians = times.get(name)?.map(({ median }) => median) ?? [];
    process.stdout.write(
      `| ${name} | ${megabytes.toFixed(0)} | ${medians.map((value) => value.toFixed(0)).join(' | ')} |\n`,
    );
    return medians.reduce((sum, value) => sum + value, 0);
  });
  return Math.ceil(((sums.at(-1) as number) / Math.min(...sums)) * 100) / 100;
}

async function ours(workspace: Workspace, days: string): Promise<Candidate> {
  const store = await openStore(workspace, limits, Date.now);
  const sizes = readdirSync(days).map((name) => statSync(join(days, name)).size);
  const account = accountOf(workspace);
  const search = ({ raw: { start, end }, request: { body } }: BenchSearch) => {
    const { filters: bodies } = body as { filters: FilterBody[] };
    const filters = bodies.map((body) => readFilter(body, 'filter', fieldsOf(connections)));
    const upTo = store.lastSequence();
    const wanted = { dataset: connections, account, range: { start, end }, filters, upTo };
    return store.first(wanted, 5_000, new AbortController().signal);
  };
  return { name: chosen, megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6, search };
}

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FilterBody, readFilter } from '@vedette/server/search/filter';
import { connections } from '@vedette/server/telemetry/datasets/Connections';
import { fieldsOf } from '@vedette/server/telemetry/record-form';
import { type Layout, RawTelemetry } from '../baselines/duckdb.ts';
import { type Place, runBench } from '../bench.ts';
import { timeOf } from '../pairs.ts';
import { Sample } from '../sample.ts';
import { accountOf, lived, openStore, someMachine } from './data.ts';
import { type Asked, questions } from './questions.ts';

/** The layout that was chosen may be this much slower than the fastest, all questions together. */
const limit = 1.3;
const rounds = 15;
const millions = 5.1;
const limits = { memory: '512MB', threads: 2 };

const layouts: Readonly<Record<string, Layout>> = {
  'one file, as it arrives, FSST': { storage: 'standard', order: 'arrival' },
  'one file, as it arrives, DICT_FSST': { storage: 'latest', order: 'arrival' },
  'one file, as it arrives, documents zstd': { storage: 'latest', docs: 'zstd', order: 'arrival' },
  'one file, as it arrives, documents plain': { storage: 'latest', docs: 'uncompressed', order: 'arrival' },
  'one file, by machine, documents plain': { storage: 'latest', docs: 'uncompressed', order: 'machine' },
  'one file, in order of answers, documents plain': {
    storage: 'latest',
    docs: 'uncompressed',
    order: 'answers',
  },
};
const chosen = 'day files, in order of answers, plain for a week, then zstd';

interface Candidate {
  readonly name: string;
  readonly megabytes: number;
  ask(asked: Asked): Promise<unknown>;
}

await runBench(
  { bench: 'telemetry-layouts', limit, timeLimit: 3_600_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** The same searches, in this process, on every layout in turns. */
async function measure(place: Place): Promise<number> {
  await lived(place, millions);
  const days = join(place.dataDirectory, 'telemetry/days');
  const candidates: Candidate[] = [];
  for (const [at, [name, layout]] of Object.entries(layouts).entries()) {
    const file = join(place.directory, `layout-${at}.duckdb`);
    process.stderr.write(`making '${name}'\n`);
    if (!existsSync(file)) await RawTelemetry.build(file, days, connections.path, layout);
    const raw = await RawTelemetry.open(limits);
    await raw.attach(file);
    const ask = ({ raw: question }: Asked) => raw.ask('page beside count', question);
    candidates.push({ name, megabytes: statSync(file).size / 1e6, ask });
  }
  candidates.push(await ours(place, days));
  const asked = questions(someMachine(millions));
  const times = new Map(candidates.map(({ name }) => [name, asked.map(() => new Sample())]));
  for (let round = 0; round <= rounds; round++) {
    for (const [at, question] of asked.entries()) {
      for (const { name, ask } of candidates) {
        const time = await timeOf(() => ask(question));
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

async function ours(place: Place, days: string): Promise<Candidate> {
  const store = await openStore(place, limits, Date.now);
  const sizes = readdirSync(days).map((name) => statSync(join(days, name)).size);
  const account = accountOf(place);
  const ask = ({ raw: { start, end }, question: { body } }: Asked) => {
    const { filters: bodies } = body as { filters: FilterBody[] };
    const filters = bodies.map((body) => readFilter(body, 'filter', fieldsOf(connections)));
    const upTo = store.lastSequence();
    const wanted = { dataset: connections, account, range: { start, end }, filters, upTo };
    return store.first(wanted, 5_000, new AbortController().signal);
  };
  return { name: chosen, megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6, ask };
}

import { analyse } from '@vedette/lql/analyse';
import { compile } from '@vedette/lql/compile/compile';
import { duckdb } from '@vedette/lql/compile/duckdb/duckdb';
import type { Tables } from '@vedette/lql/compile/tables';
import { corpus } from '@vedette/lql/syntax/corpus.sample';
import { DatasourceCatalogue } from '@vedette/server/datasources/catalogue';
import { shippedPacks } from '@vedette/server/detection/packs/pack';
import { datasets } from '@vedette/server/telemetry/datasets';
import { runBench, type Workspace } from '../bench.ts';
import { report } from '../report.ts';
import { Sample } from '../sample.ts';
import { accountOf, days, end, openStore, prepareTelemetry } from '../telemetry/data.ts';

/** Median in milliseconds. */
const limit = 2;
const rounds = 20;
const minQueries = 100;
const millions = 5.1;
const day = 86_400_000;

await runBench(
  { bench: 'lql-compile', limit, timeLimit: 1_800_000, passes: (median) => median <= limit },
  measure,
);

/** Compiles each query of the corpus to its statement, for a server with two weeks of data. */
async function measure(workspace: Workspace): Promise<number> {
  await prepareTelemetry(workspace, millions);
  const store = await openStore(workspace, { memory: '512MB', threads: 2 }, () => end);
  const bounds = { account: accountOf(workspace), start: end - days * day, end };
  let median = Number.NaN;
  await store.query(
    bounds.account,
    (tables) => {
      median = timeCorpus(tables, bounds);
      return { sql: `select '' as "row"`, parameters: [] };
    },
    () => undefined,
    new AbortController().signal,
    () => undefined,
  );
  await store.close();
  return median;
}

function timeCorpus(tables: Tables, bounds: { account: string; start: number; end: number }): number {
  const [first, all] = [new Sample(), new Sample()];
  const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });
  let characters = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const { text } of corpus) {
      const began = performance.now();
      const { query } = analyse(text, catalogue);
      if (query) compile(query, { dialect: duckdb, tables, bounds, now: end, limit: 5_000 });
      const time = performance.now() - began;
      // Invalid queries have no statement.
      if (!query) continue;
      if (round === 0) characters += text.length;
      (round === 0 ? first : all).add(time);
    }
  }
  if (first.size < minQueries) throw new Error(`Only ${first.size} queries of the corpus compile.`);
  report(
    'queries',
    `${first.size} of ${corpus.length} compile, ${Math.round(characters / first.size)} characters each`,
  );
  report('first time', `${shown(first)}, in a process that has compiled nothing yet`);
  report('later', `${shown(all)}, ${rounds} rounds`);
  return Math.ceil(all.median * 1_000) / 1_000;
}

function shown(sample: Sample): string {
  const [median, p99, max] = [0.5, 0.99, 1].map((share) => sample.quantile(share).toFixed(2));
  return `${median} ms, 99 % within ${p99} ms, at most ${max} ms`;
}

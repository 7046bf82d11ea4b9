import { analyse } from '@vedette/lql/analyse';
import { report as explain } from '@vedette/lql/text/report';
import { DatasourceCatalogue } from '@vedette/server/datasources/catalogue';
import { BatchSize } from '@vedette/server/detection/evaluation/batch-size';
import {
  type EvaluationRun,
  type ResourcePolicy,
  resourcePolicyOf,
} from '@vedette/server/detection/evaluation/evaluated-policy';
import { Pack, shippedPacks } from '@vedette/server/detection/packs/pack';
import { datasets } from '@vedette/server/telemetry/datasets';
import type { DuePolicy } from '@vedette/server/telemetry/evaluation';
import type { Provider } from '@vedette/server/telemetry/served-datasource';
import type { TelemetryStore } from '@vedette/server/telemetry/store';
import { RawPosture } from '../baselines/duckdb-posture.ts';
import { runBench, type Workspace } from '../bench.ts';
import { timePairs } from '../pairs.ts';
import { range, report, reportPairs } from '../report.ts';
import { openStore } from '../telemetry/data.ts';
import { coldServer } from './cold-server.ts';
import { type EstateKind, estate } from './estate.ts';

/** Evaluations against the sum of the raw queries. */
const limit = 1.3;
const pairs = 15;
const [policyCount, resourceCount] = [500, 100_000];
/** Of the resources in the pairs. */
const smallShare = 10;
const allowed = { seconds: 60, megabytes: 1_000, changeSeconds: 1 };
const limits = { memory: '512MB', threads: 2 };
const cloudAccount = '123456789012';
const benchAccount = 'bench';
const changedKind = 'LW_CFG_AWS_EC2_SECURITY_GROUPS';
const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });
const never = new AbortController().signal;

await runBench({ bench: 'posture', limit, timeLimit: 3_600_000, passes: (ratio) => ratio <= limit }, measure);

interface BenchPolicy {
  readonly id: string;
  readonly provider: Provider;
  readonly resources: ResourcePolicy;
}

async function measure(workspace: Workspace): Promise<number> {
  const all = await policies();
  const chosen = all.filter((_, index) => (index * policyCount) % all.length < policyCount);
  report('policies', `${chosen.length} of ${all.length} over configuration`);
  const ratio = await compare(workspace, chosen);
  const kinds = [...estate(kindsOf(chosen), resourceCount)];
  const resources = sizeOf(kinds);
  const changing = kinds.find(({ kind }) => kind === changedKind) as EstateKind;
  const cold = await coldServer(workspace, {
    ...{ cloudAccount, changing, policies: chosen.map(({ id }) => id) },
    disabled: all.filter((one) => !chosen.includes(one)).map(({ id }) => id),
    fill: (store, account) => fill(store, account, kinds),
  });
  report(
    'cold server',
    `${chosen.length} policies over ${resources} resources: ${cold.seconds.toFixed(1)} s; at most ${allowed.seconds} s`,
  );
  report('memory', `${cold.megabytes.toFixed(0)} MB resident; at most ${allowed.megabytes} MB`);
  report(
    'one change',
    `${cold.affected} evaluations are new ${cold.change.median.toFixed(2)} s ${range(cold.change, 2)} after it was stored; at most ${allowed.changeSeconds} s`,
  );
  report(
    '  with its collection',
    `${cold.collectedChange.median.toFixed(2)} s ${range(cold.collectedChange, 2)} after the first request of the collector`,
  );
  const isWithin =
    cold.seconds <= allowed.seconds &&
    cold.megabytes <= allowed.megabytes &&
    cold.change.median <= allowed.changeSeconds;
  if (!isWithin) throw new Error('The server exceeds what is allowed.');
  return ratio;
}

/** Cold evaluations of a smaller estate, against its raw queries. Each evaluation has policies of its own. */
async function compare(workspace: Workspace, chosen: readonly BenchPolicy[]): Promise<number> {
  await (await workspace.startServer()).stop();
  const store = await openStore(workspace, limits, () => Date.now());
  const raw = await RawPosture.open(workspace.directory, limits);
  const kinds = [...estate(kindsOf(chosen), resourceCount / smallShare)];
  await fill(store, benchAccount, kinds);
  for (const { kind, resources } of kinds) await raw.insert(kind, resources);
  const at = Date.now();
  const run = { account: benchAccount, at };
  let round = 0;
  let ours = { violations: 0, resources: 0 };
  let theirs = ours;
  const evaluate = async () => {
    ours = { violations: 0, resources: 0 };
    round++;
    const size = new BatchSize();
    for (let from = 0; from < chosen.length; ) {
      const due = chosen.slice(from, from + size.current).map((policy) => duePolicy(policy, round, run));
      from += due.length;
      const began = performance.now();
      for (const { counts } of await store.evaluate(benchAccount, due, at + round, never)) {
        ours.violations += counts.NonCompliant;
        ours.resources += counts.NonCompliant + counts.Compliant;
      }
      size.note(due.length, performance.now() - began);
    }
  };
  const query = async () => {
    theirs = { violations: 0, resources: 0 };
    for (const { resources } of chosen) {
      theirs.violations += await raw.violations(resources.violations(run, undefined));
      theirs.resources += await raw.resources(resources.resources(run, undefined));
    }
  };
  const timed = await timePairs(pairs, evaluate, query);
  if (ours.violations !== theirs.violations || ours.resources !== theirs.resources)
    throw new Error(`Evaluated ${JSON.stringify(ours)}, but the queries return ${JSON.stringify(theirs)}.`);
  raw.close();
  await store.close();
  const what = `${ours.resources} evaluations, ${ours.violations} violations`;
  reportPairs(`${sizeOf(kinds)} resources`, `for ${what}, stored`, 'for the same by the raw queries', timed);
  return Math.ceil(timed.ratio.median * 100) / 100;
}

function duePolicy({ id, resources }: BenchPolicy, round: number, run: EvaluationRun): DuePolicy {
  return {
    ...{
      id: `${id}-${round}`,
      title: id,
      severity: 'Medium',
      section: '',
      basis: '',
      reported: 0,
      isScheduled: true,
    },
    ...resources,
    resources: (changed) => resources.resources(run, changed),
    violations: (changed) => resources.violations(run, changed),
  };
}

async function fill(store: TelemetryStore, account: string, kinds: readonly EstateKind[]): Promise<void> {
  const started = Date.now() - 3_600_000;
  for (const { kind, resources } of kinds)
    await store.finishSnapshot(
      account,
      { kind, cloudAccount, region: 'eu-central-1', started },
      {
        ended: started,
        status: 'collected',
        reason: '',
        parts: 1,
        part: { number: 1, resources, unread: [] },
      },
    );
}

async function policies(): Promise<BenchPolicy[]> {
  const pack = await Pack.load(shippedPacks());
  return pack.policies.flatMap(({ id, queryId, policyType, enabled }) => {
    const query = queryId === undefined ? undefined : pack.query(queryId);
    if (!query || policyType !== 'Compliance' || !enabled) return [];
    const resources = resourcePolicyOf({
      query: checked(query.text),
      scope: query.scope === undefined ? undefined : checked(query.scope),
    });
    return resources ? [{ id, provider: resources.provider, resources }] : [];
  });
}

function checked(text: string) {
  const { query, problems } = analyse(text, catalogue);
  if (!query) throw new Error(explain(text, problems));
  return query;
}

function kindsOf(some: readonly BenchPolicy[]): { readonly kind: string; readonly provider: Provider }[] {
  const kinds = new Map(
    some.flatMap(({ provider, resources }) =>
      resources.kinds.map((kind) => [kind, { kind, provider }] as const),
    ),
  );
  return [...kinds.values()];
}

function sizeOf(kinds: readonly EstateKind[]): number {
  return kinds.reduce((sum, { resources }) => sum + resources.length, 0);
}

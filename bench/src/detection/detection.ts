import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Alerts } from '@vedette/server/alerts/alerts';
import { Routing } from '@vedette/server/alerts/routing';
import { ControlStore } from '@vedette/server/control/store';
import { DatasourceCatalogue } from '@vedette/server/datasources/catalogue';
import { schedulerOf } from '@vedette/server/detection/evaluation/detection';
import { type Pack, shippedPacks } from '@vedette/server/detection/packs/pack';
import { Policies } from '@vedette/server/detection/policies/policies';
import { ProfileCatalogue } from '@vedette/server/detection/profiles/catalogue';
import { ProfileReferences } from '@vedette/server/detection/profiles/references';
import { Queries } from '@vedette/server/detection/queries/queries';
import { systemClock as clock } from '@vedette/server/platform/clock';
import { Keyring } from '@vedette/server/platform/keyring';
import { createLog } from '@vedette/server/platform/log';
import { QueryLanguage } from '@vedette/server/querying/language';
import { QueryRunner } from '@vedette/server/querying/runner';
import { datasets } from '@vedette/server/telemetry/datasets';
import { Telemetry } from '@vedette/server/telemetry/telemetry';
import { runBench, type Workspace } from '../bench.ts';
import { timePairs } from '../pairs.ts';
import { reportPairs } from '../report.ts';
import { Sample } from '../sample.ts';
import { type Kind, kinds } from './records.ts';
import { reportWebhooks } from './webhook.ts';

const limit = 1.3;
/** Fewer for a quick run. */
const thousands = Number(process.env.VEDETTE_BENCH_THOUSANDS ?? 1_000);
const policiesPerKind = 25;
const pairs = 15;
const perBatch = 5_000;
const account = 'BENCH';
const actor = { userName: 'bench', ownerId: account, accountName: 'bench', act: 'Bench' };
const scope = { ownerId: account, name: 'bench' } as never;
const log = createLog('silent');

await runBench(
  { bench: 'detection', limit, timeLimit: 1_800_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** All policies over all records, against their queries alone, one after the other; then the latency of notifications. */
async function measure(workspace: Workspace): Promise<number> {
  const dataDirectory = join(workspace.directory, 'detection');
  mkdirSync(dataDirectory, { recursive: true });
  const store = await ControlStore.open(`sqlite:${join(dataDirectory, 'control.db')}`, clock);
  const keyring = new Keyring([Keyring.newMaterial()]);
  const limits = { memory: '512MB', threads: 2 };
  const directory = join(dataDirectory, 'telemetry');
  const telemetry = await Telemetry.open({
    ...{ directory, limits, diskCap: undefined, store, keyring, clock, log, searchSeconds: 600 },
  });
  await fill(telemetry);
  const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
  const none = { policies: [], queries: [], policy: () => undefined, query: () => undefined };
  const pack = none as unknown as Pack;
  const profiles = new ProfileReferences(ProfileCatalogue.load(shippedPacks()));
  const queries = new Queries({ store, clock, pack, language });
  const policies = new Policies({ store, clock, pack, queries, profiles });
  await store.housekeeping(async (tx) => {
    await tx.insertInto('organizations').values({ id: 'ORG', name: 'bench', created_at: 0 }).execute();
    await tx
      .insertInto('accounts')
      .values({ id: account, organization_id: 'ORG', name: 'bench', created_at: 0 })
      .execute();
  });
  const definitions = kinds.flatMap((kind) =>
    Array.from({ length: policiesPerKind }, (_, at) => ({ kind, at })),
  );
  for (const [index, { kind, at }] of definitions.entries()) {
    await queries.create(actor, { queryId: `Q_${index}`, queryText: kind.query(at) });
    await policies.create(actor, scope, {
      ...{ policyId: `bench-${index}`, queryId: `Q_${index}`, policyType: 'Violation', severity: 'high' },
      ...{ title: `Policy ${index}`, description: 'For the bench.', remediation: 'None.' },
      ...{ enabled: true, alertEnabled: true, alertProfile: kind.profile },
    } as never);
  }
  const runner = new QueryRunner({ telemetry, clock });
  const alerts = new Alerts({
    store,
    clock,
    router: new Routing({
      ...{ clock, address: () => 'http://localhost', announcementWindow: 300_000 },
      follows: async () => false,
    }),
  });
  const scheduler = schedulerOf({
    ...{
      store,
      clock,
      log,
      telemetry,
      language,
      runner,
      pack,
      profiles,
      alerts,
      place: 'bench',
      timeout: 600,
      firstEvaluation: 'alerts',
    },
  });
  const evaluateAll = async () => {
    await scheduler.tick();
    await scheduler.settled();
  };
  await evaluateAll();
  const arrived = new Map<Kind, { after: number; upTo: number }>();
  for (const kind of kinds) {
    const upTo = await telemetry.lastBatch(account, kind.dataset.path);
    if (kind.isStream) arrived.set(kind, { after: 0, upTo });
  }
  const ours = async () => {
    // A new scheduler reads its rows again, as after a start.
    const fresh = schedulerOf({
      ...{ store, clock, log, telemetry, language, runner, pack, profiles, alerts, place: 'bench' },
      timeout: 600,
      firstEvaluation: 'alerts',
    });
    await fresh.tick();
    await fresh.settled();
    if (fresh.gauges.failing > 0) throw new Error('A policy failed.');
  };
  const raw = async () => {
    const now = clock.now();
    for (const { kind, at } of definitions) {
      const range = { start: now - 86_400_000, end: now + 1 };
      const since = arrived.get(kind);
      const run = { account, range, ...(since && { arrived: since }) };
      for await (const _ of runner.run(language.read(kind.query(at)), run));
    }
  };
  const timed = { ratio: new Sample(), ours: new Sample(), raw: new Sample() };
  for (let pair = 0; pair < pairs; pair++) {
    await reset(store);
    const one = await timePairs(1, ours, raw);
    for (const side of ['ratio', 'ours', 'raw'] as const) timed[side].add(one[side].median);
  }
  const violations = await store.read
    .selectFrom('violations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  reportPairs(
    `${definitions.length} policies over ${thousands} thousand records`,
    `with ${violations.count} violations recorded and alerted`,
    'for the same queries alone, one after the other',
    timed,
  );
  await scheduler.stop();
  await telemetry.close();
  await store.close();
  await reportWebhooks(workspace);
  return Math.ceil(timed.ratio.median * 100) / 100;
}

async function fill(telemetry: Telemetry): Promise<void> {
  const perKind = (thousands * 1_000) / kinds.length;
  for (const kind of kinds) {
    for (let from = 0; from < perKind; from += perBatch) {
      const records = Array.from({ length: Math.min(perBatch, perKind - from) }, (_, at) =>
        JSON.stringify(kind.record(from + at, clock.now())),
      );
      await take(telemetry, kind, records.join('\n'));
    }
  }
}

function take(telemetry: Telemetry, { dataset }: Kind, body: string) {
  return telemetry.intake.ingest({ account, dataset, form: 'lines', body, idempotencyKey: undefined });
}

/** Discards the results of all evaluations. */
async function reset(store: ControlStore): Promise<void> {
  await store.housekeeping(async (tx) => {
    for (const table of ['violations', 'alerts', 'alert_entries', 'alert_entities', 'evidence'] as const)
      await tx.deleteFrom(table).execute();
    await tx
      .updateTable('evaluations')
      .set({ sequence: 0, basis: null, due_at: 0, started_at: null })
      .execute();
  });
}

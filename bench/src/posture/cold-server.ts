import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Collection } from '@vedette/server/collect/inventory/collection';
import type { TelemetryStore } from '@vedette/server/telemetry/store';
import { RawStore } from '../baselines/sqlite.ts';
import type { Workspace } from '../bench.ts';
import { Client } from '../client.ts';
import { readings, sinkOf } from '../collector.ts';
import { PeakMemory } from '../peak-memory.ts';
import { Sample } from '../sample.ts';
import type { ServerProcess } from '../server-process.ts';
import { accountOf, openStore } from '../telemetry/data.ts';
import { changedResource, type EstateKind } from './estate.ts';

export interface ColdResult {
  /** From the start of the process until every policy was evaluated. */
  readonly seconds: number;
  readonly megabytes: number;
  /** Seconds from the acknowledgement of a changed resource until a search shows all its evaluations as new. */
  readonly change: Sample;
  /** The same from the first request of the collector. */
  readonly collectedChange: Sample;
  /** The number of these evaluations. */
  readonly affected: number;
}

export interface ColdServer {
  /** Ids of the policies over configuration that are enabled. */
  readonly policies: readonly string[];
  readonly disabled: readonly string[];
  readonly cloudAccount: string;
  fill(store: TelemetryStore, account: string): Promise<void>;
  /** A kind of which one resource is changed. */
  readonly changing: EstateKind;
}

const limits = { memory: '512MB', threads: 2 };
const startLimit = 600_000;
/** Milliseconds: a search takes the engine from the evaluation. */
const pollInterval = 100;
const changes = 9;
/** Milliseconds, in which what follows the last change ends. */
const pause = 3_000;

/** Starts a server whose inventory was never evaluated, and changes a resource when it was. */
export async function coldServer(workspace: Workspace, cold: ColdServer): Promise<ColdResult> {
  rmSync(workspace.dataDirectory, { recursive: true, force: true });
  const first = await workspace.startServer();
  const client = await Client.signIn(first.port, workspace.dataDirectory);
  await client.change(
    '/api/v2/Policies',
    cold.disabled.map((policyId) => ({ policyId, enabled: false })),
  );
  await first.stop();
  const store = await openStore(workspace, limits, () => Date.now());
  await cold.fill(store, accountOf(workspace));
  await store.close();
  const [start, startedAt] = [performance.now(), Date.now()];
  const server = await workspace.startServer();
  const memory = new PeakMemory(server);
  await untilEvaluated(workspace, cold.policies, startedAt);
  const seconds = (performance.now() - start) / 1_000;
  const megabytes = memory.stop();
  const change = await timeOfChange(server, workspace, cold);
  await server.stop();
  return { seconds, megabytes, ...change };
}

async function untilEvaluated(
  workspace: Workspace,
  policies: readonly string[],
  since: number,
): Promise<void> {
  const raw = new RawStore(join(workspace.dataDirectory, 'control.db'));
  const read = raw.reader('select policy_id, finished_at, failures, problem from evaluations');
  const wanted = new Set(policies);
  for (const limit = performance.now() + startLimit; ; await sleep(100)) {
    const rows = read().filter(([policy]) => wanted.has(String(policy)));
    const failed = rows.find(([, , failures]) => Number(failures) > 0);
    if (failed) throw new Error(`The evaluation of ${failed[0]} failed: ${failed[3]}`);
    const done = rows.filter(([, finished]) => Number(finished) >= since).length;
    if (done === wanted.size) break;
    if (performance.now() > limit) throw new Error(`Only ${done} of ${wanted.size} policies were evaluated.`);
  }
  raw.close();
}

async function timeOfChange(
  server: ServerProcess,
  workspace: Workspace,
  { cloudAccount, changing: { kind, resources } }: ColdServer,
): Promise<Pick<ColdResult, 'change' | 'collectedChange' | 'affected'>> {
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const sink = await sinkOf(client, server.port);
  const [change, collectedChange] = [new Sample(), new Sample()];
  let current = [...resources];
  let affected = 0;
  for (let index = 0; index < changes; index++) {
    const before = current[index];
    if (!before) throw new Error(`There are too few of ${kind}.`);
    current = current.with(index, changedResource(before));
    const resource = { field: 'resource', expression: 'eq', value: before.key };
    const search = (filters: readonly object[]) =>
      client.search('/api/v2/Configs/ComplianceEvaluations/search', {
        ...{ dataset: 'AwsCompliance', filters: [resource, ...filters], returns: ['status'] },
      });
    affected = await search([]);
    await sleep(pause);
    const collection = new Collection({ cloudAccount, sink, clock: { now: () => Date.now() } });
    const start = performance.now();
    const sentAt = new Date().toISOString();
    await collection.run(
      readings([{ kind, region: 'eu-central-1', resources: current }]),
      new AbortController().signal,
      () => {},
    );
    const stored = performance.now();
    while ((await search([{ field: 'reportTime', expression: 'ge', value: sentAt }])) !== affected) {
      if (performance.now() - start > 60_000) throw new Error('The change was not evaluated.');
      await sleep(pollInterval);
    }
    change.add((performance.now() - stored) / 1_000);
    collectedChange.add((performance.now() - start) / 1_000);
  }
  return { affected, change, collectedChange };
}

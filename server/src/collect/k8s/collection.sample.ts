import { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import { CallBudget } from '../inventory/budget.ts';
import type { CloudTarget, CollectDeps } from '../inventory/cloud.ts';
import { Collection } from '../inventory/collection.ts';
import { MemorySink } from '../inventory/memory-sink.sample.ts';
import type { ScopeResult } from '../inventory/snapshot-writer.ts';
import type { SampleCluster } from './cluster.sample.ts';
import type { K8sConnection } from './connection.ts';
import { fixedCredentials } from './fixed-credentials.ts';

/** What a collector of clusters needs in tests: pauses pass at once, and are recorded. */
export interface SampleDeps extends CollectDeps {
  readonly pauses: number[];
}

export function sampleDeps(): SampleDeps {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => now };
  const pauses: number[] = [];
  const wait = async (milliseconds: number) => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  const outbound = new BulkOutbound({ allowsPrivate: true });
  return { outbound, budget: new CallBudget({ share: 0.2, clock, wait }), clock, pauses };
}

/** By token. */
export function connectionTo(cluster: SampleCluster, token: string): K8sConnection {
  return {
    ...{ title: 'sample', server: cluster.url, tls: { authority: cluster.authority }, names: [] },
    source: fixedCredentials({ headers: { authorization: `Bearer ${token}` } }),
  };
}

/** Runs all readings of a target; the results by kind. */
export async function collected(
  target: CloudTarget,
  { clock }: CollectDeps,
): Promise<{ sink: MemorySink; results: ReadonlyMap<string, ScopeResult> }> {
  const sink = new MemorySink();
  const results = new Map<string, ScopeResult>();
  const { signal } = new AbortController();
  const collection = new Collection({ cloudAccount: target.cloudAccount, sink, clock });
  await collection.run(await target.readings(signal), signal, (_, scopes) => {
    for (const scope of scopes) results.set(scope.kind, scope);
  });
  return { sink, results };
}

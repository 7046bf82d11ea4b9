import type { Resource } from './resource.ts';
import type { SnapshotEffect, SnapshotEnd, SnapshotId, SnapshotPart } from './snapshot.ts';

/** A whole snapshot. */
export interface TestSnapshot extends Omit<SnapshotId, 'region'> {
  readonly account: string;
  readonly region?: string;
  readonly ended: number;
  readonly resources: readonly Resource[];
}

interface ResourceStore {
  stageResources(account: string, id: SnapshotId, part: SnapshotPart): Promise<unknown>;
  finishSnapshot(account: string, id: SnapshotId, end: SnapshotEnd): Promise<SnapshotEffect>;
}

/** Stores a snapshot of a kind in one part. */
export async function recordResources(
  store: ResourceStore,
  { account, kind, cloudAccount, region = 'eu-west-1', started, ended, resources }: TestSnapshot,
): Promise<SnapshotEffect> {
  const id = { kind, cloudAccount, region, started };
  const parts = resources.length > 0 ? 1 : 0;
  if (parts > 0) await store.stageResources(account, id, { number: 1, resources, unread: [] });
  const status = parts > 0 ? 'collected' : 'empty';
  return store.finishSnapshot(account, id, { ended, status, reason: '', parts });
}

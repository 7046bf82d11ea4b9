import type { Resource } from '../../telemetry/resource.ts';
import type { SnapshotScope } from '../../telemetry/snapshot-scope.ts';
import type { CaseStore } from './case-runner.ts';
import type { ResourceCase } from './resource-cases.ts';

/** Stores the resources of a case as a collector sends them: every kind was collected wherever the case has resources. */
export async function collectCase(place: CaseStore, account: string, of: ResourceCase): Promise<void> {
  await Promise.all(
    snapshotsOf(of).map(({ id, resources }) => {
      const snapshot = { ...id, started: place.range.start };
      const isEmpty = resources.length === 0;
      return place.telemetry.finishSnapshot(account, snapshot, {
        ...{ ended: place.range.start + 1, status: isEmpty ? 'empty' : 'collected', reason: '' },
        ...(isEmpty ? { parts: 0 } : { parts: 1, part: { number: 1, resources, unread: [] } }),
      });
    }),
  );
}

interface CaseSnapshot {
  readonly id: SnapshotScope;
  readonly resources: readonly Resource[];
}

function snapshotsOf({ resources }: ResourceCase): CaseSnapshot[] {
  const places = new Map(
    [...resources.values()].flat().map((one) => [JSON.stringify(placeOf(one)), placeOf(one)]),
  );
  return [...resources].flatMap(([kind, all]) =>
    [...places].map(([name, place]) => ({
      id: { kind, ...place },
      resources: all.filter((one) => JSON.stringify(placeOf(one)) === name),
    })),
  );
}

function placeOf({ facts }: Resource): Pick<SnapshotScope, 'cloudAccount' | 'region'> {
  const { ACCOUNT_ID, SUBSCRIPTION_ID, TENANT_ID, PROJECT_ID, CLUSTER_ID } = facts;
  const cloudAccount = ACCOUNT_ID ?? SUBSCRIPTION_ID ?? PROJECT_ID ?? CLUSTER_ID ?? TENANT_ID ?? '';
  return { cloudAccount, region: facts.RESOURCE_REGION ?? 'global' };
}

import { Collection } from '@vedette/server/collect/inventory/collection';
import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import { cloudsAt, collectionTimes } from '@vedette/server/simulate/clouds/clouds';
import type { Company } from '@vedette/server/simulate/company/company';
import { simulatedTargets } from './simulated-targets.ts';

export interface CloudDeliveryResult {
  /** In the last collection. */
  readonly resources: number;
  /** New or changed, over all collections. */
  readonly opened: number;
  /** Changed or removed, over all collections. */
  readonly closed: number;
}

/** Scopes of snapshots that are sent at the same time: the server commits those that wait together. */
const concurrency = 64;

/** Sends what the clouds of the company hold, as a daily collection finds it. */
export async function deliverClouds(
  company: Company,
  { end, days }: { readonly end: number; readonly days: number },
  sinkOf: (cloud: string) => SnapshotSink,
): Promise<CloudDeliveryResult> {
  const { signal } = new AbortController();
  const result = { resources: 0, opened: 0, closed: 0 };
  for (const time of collectionTimes(end, days)) {
    result.resources = 0;
    const targets = await simulatedTargets(company, cloudsAt(company, time));
    await Promise.all(
      targets.map(async ({ cloud, cloudAccount, readings }) => {
        const clock = { now: () => time };
        const collection = new Collection({ cloudAccount, sink: sinkOf(cloud), clock, concurrency });
        await collection.run(readings, signal, (_, scopes) => {
          for (const { resources, effect } of scopes) {
            result.resources += resources;
            result.opened += effect.opened;
            result.closed += effect.closed;
          }
        });
      }),
    );
  }
  return result;
}

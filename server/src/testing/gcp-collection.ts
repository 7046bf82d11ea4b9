import { gcpTargets } from '../collect/gcp/targets.ts';
import { CallBudget } from '../collect/inventory/budget.ts';
import type { CollectDeps } from '../collect/inventory/cloud.ts';
import { Collection } from '../collect/inventory/collection.ts';
import { MemorySink } from '../collect/inventory/memory-sink.sample.ts';
import type { ScopeResult } from '../collect/inventory/snapshot-writer.ts';
import { assetHosts } from './asset-server.ts';
import { ManualClock } from './clock.ts';
import { bulkOutboundIn, publicAddress } from './outbound.ts';
import type { Receiver } from './receiver.ts';
import { googleKey } from './transports.ts';

export const integrationData = {
  credentials: {
    clientId: '7',
    clientEmail: 'reader@shop',
    privateKeyId: 'k',
    privateKey: googleKey.privateKey,
  },
  idType: 'PROJECT',
  id: 'shop',
};

/** Waiting advances the clock. */
export function collectDeps(receiver: Receiver, share = 1): CollectDeps & { clock: ManualClock } {
  const clock = new ManualClock();
  const wait = async (milliseconds: number) => clock.advance(milliseconds);
  const hosts = Object.fromEntries(assetHosts.map((host) => [host, publicAddress]));
  return {
    outbound: bulkOutboundIn({ receiver, hosts }),
    budget: new CallBudget({ share, clock, wait }),
    clock,
  };
}

/** Collects an integration: what was sent, and the result of each kind. */
export async function collected(deps: CollectDeps, data = integrationData, concurrency = 16) {
  const sink = new MemorySink();
  const results = new Map<string, ScopeResult>();
  const { targets } = await gcpTargets(data, deps);
  const { signal } = new AbortController();
  for (const target of targets) {
    const collection = new Collection({
      ...{ cloudAccount: target.cloudAccount, sink, clock: deps.clock, concurrency },
    });
    await collection.run(await target.readings(signal), signal, (_, ended) => {
      for (const result of ended) results.set(result.kind, result);
    });
  }
  return { sink, results, statusOf: (kind: string) => results.get(kind)?.status };
}

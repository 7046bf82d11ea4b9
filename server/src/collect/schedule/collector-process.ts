import { setTimeout } from 'node:timers/promises';
import { Aws } from '../../outbound/aws/aws.ts';
import { BaseCredentials } from '../../outbound/aws/base-credentials.ts';
import { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import { GuardedOutbound } from '../../outbound/guarded-outbound.ts';
import { systemClock } from '../../platform/clock.ts';
import { CallBudget } from '../inventory/budget.ts';
import type { CollectDeps, Discovery } from '../inventory/cloud.ts';
import { Collection } from '../inventory/collection.ts';
import { CollectError, problemOf } from '../inventory/problem.ts';
import type { CollectorTask, FromCollector, ToCollector } from './collector-messages.ts';
import { integrationClouds } from './integration-clouds.ts';
import { ProcessSink } from './process-sink.ts';

/** Settings of an AzureCfg integration. */
interface AzureData {
  readonly tenantId: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
}

const usageInterval = 10_000;

const send = (message: FromCollector) => {
  process.send?.(message);
};
const sink = new ProcessSink(send);

process.on('message', (message: ToCollector) => {
  if ('answer' in message) sink.answered(message);
  else
    void collect(message.task).catch((error: unknown) => {
      send({ problem: problemOf(error) });
      process.disconnect();
    });
});
// The server has ended or lost the lease.
process.on('disconnect', () => process.exit(0));

async function collect(task: CollectorTask): Promise<void> {
  const outbound = new BulkOutbound({ allowsPrivate: task.allowsPrivate });
  const wait = (milliseconds: number, signal: AbortSignal) => setTimeout(milliseconds, undefined, { signal });
  const budget = new CallBudget({ share: task.share, clock: systemClock, wait });
  const { signal } = new AbortController();
  const deps = { outbound, budget, clock: systemClock };
  const reporting = setInterval(() => send({ usage: budget.usage() }), usageInterval);
  const { targets, problems } = await discover(task, deps, signal);
  for (const problem of problems) send({ problem });
  for (const target of targets) {
    try {
      const done = new Set(task.done[target.cloudAccount]);
      const readings = (await target.readings(signal)).filter(({ id }) => !done.has(id));
      const collection = new Collection({ cloudAccount: target.cloudAccount, sink, clock: systemClock });
      await collection.run(readings, signal, (reading, results) =>
        send({ reading: reading.id, target: target.cloudAccount, results }),
      );
    } catch (error) {
      if (!(error instanceof CollectError)) throw error;
      send({ problem: { ...problemOf(error), reason: `${target.title}: ${error.reason}` } });
    }
  }
  clearInterval(reporting);
  send({ usage: budget.usage() });
  send({ finished: true });
  await outbound.close();
  process.disconnect();
}

/** Loads only the collector that is needed. */
async function discover(
  { type, data, allowsPrivate }: CollectorTask,
  deps: CollectDeps,
  signal: AbortSignal,
): Promise<Discovery> {
  const { env: environment } = process;
  switch (integrationClouds[type]) {
    case 'aws': {
      const { awsTargets } = await import('../aws/integration-targets.ts');
      const outbound = new GuardedOutbound({ allowsPrivate });
      const metadata = new GuardedOutbound({ allowsPrivate: true });
      const base = new BaseCredentials({ environment, metadata, clock: deps.clock });
      const aws = new Aws({ outbound, base, environment, clock: deps.clock });
      return awsTargets({ type, data }, { ...deps, aws, endpoint: environment.AWS_ENDPOINT_URL });
    }
    case 'azure': {
      const { azureTargets } = await import('../azure/targets.ts');
      const { tenantId, credentials } = data as unknown as AzureData;
      return azureTargets({ tenantId, ...credentials }, deps, signal, { environment });
    }
    case 'gcp': {
      const { gcpTargets } = await import('../gcp/targets.ts');
      return gcpTargets(data as unknown as Parameters<typeof gcpTargets>[0], deps);
    }
    default:
      throw new Error(`No collector for ${type}.`);
  }
}

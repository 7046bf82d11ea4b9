import { setTimeout } from 'node:timers/promises';
import { CallBudget } from '@vedette/server/collect/inventory/budget';
import type { Cloud, CollectDeps, Discovery } from '@vedette/server/collect/inventory/cloud';
import { Collection } from '@vedette/server/collect/inventory/collection';
import { CollectError } from '@vedette/server/collect/inventory/problem';
import { BulkOutbound } from '@vedette/server/outbound/bulk-outbound';
import { systemClock } from '@vedette/server/platform/clock';
import type { Invocation, Report } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { CollectionReport } from './collection-report.ts';
import { HttpSink } from './http-sink.ts';
import { ReadingProgress } from './reading-progress.ts';
import { destinationOf } from './server-options.ts';

export type Discover = (deps: CollectDeps, signal: AbortSignal) => Promise<Discovery>;

/** Collects what the user's credentials lead to, and sends it to the server. */
export async function collectTargets(
  cloud: Cloud,
  { options, context }: Invocation,
  share: number,
  discover: Discover,
): Promise<Report> {
  const destination = await destinationOf(context, options);
  const clock = systemClock;
  const wait = (milliseconds: number, signal: AbortSignal) => setTimeout(milliseconds, undefined, { signal });
  const budget = new CallBudget({ share, clock, wait });
  // The user's own machine: private endpoints, metadata services and clusters are normal.
  const outbound = new BulkOutbound({ allowsPrivate: true });
  const sink = new HttpSink(destination, cloud);
  const report = new CollectionReport();
  const progress = new ReadingProgress(process.stderr, Date.now);
  const { signal } = new AbortController();
  const began = Date.now();
  try {
    const { targets, problems } = await discover({ outbound, budget, clock }, signal);
    for (const problem of problems) report.addProblem(problem);
    for (const target of targets) {
      try {
        const readings = await target.readings(signal);
        progress.plan(readings);
        const collection = new Collection({ cloudAccount: target.cloudAccount, sink, clock });
        await collection.run(readings, signal, (reading, results) => {
          report.add(results);
          progress.done(reading, report.resources);
        });
      } catch (error) {
        if (!(error instanceof CollectError)) throw error;
        report.addProblem({ status: error.status, reason: `${target.title}: ${error.reason}` });
      }
    }
  } catch (error) {
    if (error instanceof CollectError) throw new UsageError(error.reason);
    throw error;
  } finally {
    progress.end();
    sink.close();
    await outbound.close();
  }
  if (report.obstacle) throw new UsageError(report.obstacle);
  const usage = budget.usage();
  const text = report.text(usage, (Date.now() - began) / 1_000);
  if (report.isUnread) throw new UsageError(`Nothing was collected.\n${text}`);
  return { data: report.data(usage), text };
}

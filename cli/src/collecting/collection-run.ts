import { setTimeout } from 'node:timers/promises';
import { CallBudget } from '@vedette/server/collect/inventory/budget';
import { Collection } from '@vedette/server/collect/inventory/collection';
import { CollectError } from '@vedette/server/collect/inventory/problem';
import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import { BulkOutbound } from '@vedette/server/outbound/bulk-outbound';
import { systemClock } from '@vedette/server/platform/clock';
import type { Terminal } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import { CollectionReport } from './collection-report.ts';
import type { Discover } from './local-clouds.ts';
import { ReadingProgress } from './reading-progress.ts';

export interface CollectionRun {
  readonly discover: Discover;
  readonly sink: SnapshotSink;
  /** Of the documented call rates. */
  readonly share: number;
  readonly terminal: Terminal;
  /** Only these kinds are read; all if undefined. */
  readonly kinds?: ReadonlySet<string>;
}

/** Collects what the user's credentials lead to. Refuses if nothing could be read. */
export async function runCollection({
  discover,
  sink,
  share,
  terminal,
  kinds,
}: CollectionRun): Promise<{ readonly report: CollectionReport; readonly budget: CallBudget }> {
  const clock = systemClock;
  const wait = (milliseconds: number, signal: AbortSignal) => setTimeout(milliseconds, undefined, { signal });
  const budget = new CallBudget({ share, clock, wait });
  // The user's own machine: private endpoints, metadata services and clusters are normal.
  const outbound = new BulkOutbound({ allowsPrivate: true });
  const report = new CollectionReport();
  const progress = new ReadingProgress(terminal, Date.now);
  const { signal } = new AbortController();
  const began = Date.now();
  try {
    const { targets, problems } = await discover({ outbound, budget, clock }, signal);
    for (const problem of problems) report.addProblem(problem);
    for (const target of targets) {
      try {
        const all = await target.readings(signal);
        const readings = kinds ? all.filter((one) => one.kinds.some((kind) => kinds.has(kind))) : all;
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
    await outbound.close();
  }
  if (report.obstacle) throw new UsageError(report.obstacle);
  if (report.isUnread)
    throw new UsageError(
      `Nothing was collected.\n${report.text(budget.usage(), (Date.now() - began) / 1_000)}`,
    );
  return { report, budget };
}

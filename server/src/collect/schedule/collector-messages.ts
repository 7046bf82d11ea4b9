import type { IntegrationData } from '../../integrations/declaration.ts';
import type { SnapshotEffect, SnapshotEnd, SnapshotId, SnapshotPart } from '../../telemetry/snapshot.ts';
import type { BudgetUsage } from '../inventory/budget.ts';
import type { Problem } from '../inventory/problem.ts';
import type { ScopeResult } from '../inventory/snapshot-writer.ts';

/** What the collector process is told at its start. */
export interface CollectorTask {
  readonly type: string;
  /** With secrets, which is why it is sent and not passed as an argument. */
  readonly data: IntegrationData;
  readonly allowsPrivate: boolean;
  /** Share of the documented rates. */
  readonly share: number;
  /** Finished readings of an interrupted collection, by target. */
  readonly done: Readonly<Record<string, readonly string[]>>;
}

/** From the collector process. Those with a number are answered. */
export type FromCollector =
  | { readonly part: SnapshotPart; readonly id: SnapshotId; readonly number: number }
  | { readonly end: SnapshotEnd; readonly id: SnapshotId; readonly number: number }
  | { readonly reading: string; readonly target: string; readonly results: readonly ScopeResult[] }
  | { readonly problem: Problem }
  | { readonly usage: readonly BudgetUsage[] }
  | { readonly finished: true };

export type ToCollector =
  | { readonly task: CollectorTask }
  | { readonly answer: number; readonly effect?: SnapshotEffect; readonly error?: string };

import { rm } from 'node:fs/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { datasets } from '../datasets.ts';
import { spaceOf } from '../file-system.ts';
import type { SnapshotPart } from '../snapshot.ts';
import type { TelemetryStore } from '../store.ts';
import { DuckBackupSource } from './backup/backup-source.ts';
import { Loader } from './backup/loader.ts';
import { daysOf, epochOf, settle } from './backup/restore-swap.ts';
import { DiskBudget } from './disk/disk-budget.ts';
import { Spill } from './disk/spill.ts';
import { isDiskFailure } from './engine/disk-failure.ts';
import { Engine, type EngineLimits, spillCapOf } from './engine/engine.ts';
import { newStatementQueue } from './engine/statements.ts';
import { Inventory } from './inventory/inventory.ts';
import { Maintenance } from './maintenance/maintenance.ts';
import { verify } from './maintenance/verification.ts';
import { EvaluationReader } from './posture/evaluation-reader.ts';
import { Posture } from './posture/posture.ts';
import { QueryExecutor } from './query/query-executor.ts';
import { ArrivalReader } from './read/arrival-reader.ts';
import { Reader, refuseTooLarge } from './read/reader.ts';
import { ResourceReader } from './read/resource-reader.ts';
import { Damage } from './recovery/damage.ts';
import { Recovery } from './recovery/recovery.ts';
import { Segments } from './segments/segments.ts';
import { Writer } from './write/writer.ts';

export interface DuckStoreDeps {
  readonly directory: string;
  readonly limits: EngineLimits;
  /** Disk cap for telemetry, in bytes. */
  readonly diskCap: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the control store has committed the restore. */
  readonly isCommitted: (restore: string) => Promise<boolean>;
}

/** Opens the DuckDB store in this process. */
export async function openDuckStore(deps: DuckStoreDeps): Promise<TelemetryStore> {
  const { directory, limits, diskCap: cap, clock, log, isCommitted } = deps;
  const leftovers = await settle(directory, isCommitted);
  const engine = await Engine.open(directory, limits);
  const segments = await Segments.open(engine, daysOf(directory), datasets).catch((error: unknown) => {
    // A retry must not find the files open.
    engine.close();
    throw error;
  });
  const statements = newStatementQueue();
  const inventory = await Inventory.open(engine, daysOf(directory), statements).catch((error: unknown) => {
    engine.close();
    throw error;
  });
  const recovery = new Recovery(engine, segments, inventory, log);
  const spillReserve = cap === undefined ? 0 : spillCapOf(limits);
  const budget = new DiskBudget({
    ...{ segments, clock, log, cap, spillReserve, space: () => spaceOf(directory) },
    inventoryBytes: () => inventory.bytes,
    onSpend: () => spill.adjust(),
  });
  const spill: Spill = new Spill({
    ...{ engine, cap: spillCapOf(limits), freeSpace: () => budget.freeSpace() },
    // A failed attempt is repeated after the next search.
    onLeftover: () => void maintenance.clearSpill().catch(() => undefined),
  });
  const damage = new Damage({ engine, segments, statements, log });
  const writer = new Writer({ engine, segments, clock, budget, recovery, damage });
  const reader = new Reader(engine, segments, statements, damage);
  const resources = new ResourceReader(engine, inventory, statements);
  const querying = new QueryExecutor({ engine, segments, inventory, statements, recovery, damage });
  const evaluations = new EvaluationReader(engine, inventory, statements);
  const posture = new Posture({ engine, segments, inventory, statements });
  const arrivals = new ArrivalReader({
    ...{ engine, segments, statements },
    writesSettled: () => writer.exclusive(async () => undefined),
  });
  const maintenance: Maintenance = new Maintenance({ engine, segments, writer, budget, spill, clock });
  const search = <Result>(work: () => Promise<Result>) => spill.during(() => recovery.search(work));
  const writeInventory = <Result>(write: () => Promise<Result>) =>
    write().catch(async (error: unknown) => {
      if (!isDiskFailure(error)) return refuseTooLarge(error);
      const refusal = await budget.refusal(error);
      // If it fails, the next search or snapshot retries.
      await recovery.recover().catch(() => undefined);
      throw refusal;
    });
  // In the background: leftovers that remain are removed at the next opening.
  const sweeping = Promise.allSettled(leftovers.map((name) => rm(name, { recursive: true, force: true })));
  return {
    epoch: epochOf(daysOf(directory)),
    store: (batch) => writer.store(batch),
    lastSequence: () => segments.lastSequence,
    lastBatch: (account, path) => segments.lastBatch(account, path),
    waitingBatches: (account) => writer.waitingBatches(account),
    first: (recordSearch, rows, signal) =>
      search(() => damage.search(recordSearch, signal, () => reader.first(recordSearch, rows, signal))),
    next: (recordSearch, after, rows, signal) =>
      search(() => damage.search(recordSearch, signal, () => reader.next(recordSearch, after, rows, signal))),
    stageResources: async (account, id, part) => {
      await recovery.ready();
      await budget.makeSpaceForInventory(2 * jsonLength(part));
      return writeInventory(() => inventory.stageResources(account, id, part));
    },
    stagedParts: (account, id) => search(() => inventory.stagedParts(account, id)),
    finishSnapshot: async (account, id, end) => {
      await recovery.ready();
      if (end.part) await budget.makeSpaceForInventory(2 * jsonLength(end.part));
      return writeInventory(() => inventory.finishSnapshot(account, id, end));
    },
    lastSnapshot: () => inventory.lastNumber,
    resourceChanges: async (account) => ({
      ...{ kinds: inventory.changes(account), last: inventory.lastNumber },
      lastAddition: inventory.lastAddition(account),
      evaluated: await search(() => posture.positions(account)),
    }),
    endEvaluations: async (account, policyId, at) => {
      await recovery.ready();
      await writeInventory(() => posture.end(account, policyId, at));
    },
    violationChanges: (account, since) => search(() => posture.violationChanges(account, since)),
    evaluate: async (account, policies, at, signal) => {
      await recovery.ready();
      return writeInventory(() => posture.evaluate(account, policies, at, signal));
    },
    firstResources: (resourceSearch, rows, signal) =>
      search(() => resources.first(resourceSearch, rows, signal)),
    nextResources: (resourceSearch, after, rows, signal) =>
      search(() => resources.page(resourceSearch, after, rows, signal)),
    findings: (query, signal) => search(() => posture.findings(query, signal)),
    lastRevision: () => search(() => posture.lastRevision()),
    firstEvaluations: (evaluationSearch, rows, signal) =>
      search(() => evaluations.first(evaluationSearch, rows, signal)),
    nextEvaluations: (evaluationSearch, after, rows, signal) =>
      search(() => evaluations.page(evaluationSearch, after, rows, signal)),
    resourceVersions: (account, provider, urn) => search(() => resources.versions(account, provider, urn)),
    cloudAccounts: (account, provider) => search(() => resources.cloudAccounts(account, provider)),
    query: (...args) => spill.during(() => querying.run(...args)),
    explain: (compileWith) => querying.explain(compileWith),
    arrivals: (hour, after) =>
      search(() =>
        arrivals.next(hour, after).catch((error: unknown) => {
          const tables = segments.all().filter(({ spans }) => spans.has(hour.path));
          return damage.refuse(
            error,
            tables.map((segment) => ({ segment, table: hour.path })),
          );
        }),
      ),
    firstBatchSince: (account, since) => search(() => arrivals.firstSince(account, since)),
    undeclaredMembers: (account, path) => segments.undeclaredMembers(account, path),
    deleteAccount: async (account) => {
      await maintenance.deleteAccount(account);
      await inventory.deleteAccount(account);
      posture.forget(account);
    },
    deleteBefore: async (instant) => {
      await maintenance.deleteBefore(instant);
      await inventory.deleteBefore(instant);
    },
    keepWithinCap: () => maintenance.keepWithinCap(),
    compact: () => maintenance.compact(),
    verify: (progress, signal) =>
      recovery.search(() => verify({ engine, segments, inventory, statements, damage }, progress, signal)),
    bytesOnDisk: () => budget.used + engine.spilled,
    spilled: () => engine.spilled,
    freeSpace: () => budget.freeSpace(),
    withoutRemovals: async (work) => {
      // Not while a day is being dropped.
      await writer.exclusive(async () => budget.suspendDropping());
      return work().finally(() => budget.resumeDropping());
    },
    holdings: (accounts) => DuckBackupSource.now({ engine, segments, inventory, statements }, accounts),
    replacement: (id) =>
      Loader.open(id, { directory, limits, statements, spend: (bytes) => budget.spend(bytes) }),
    close: async () => {
      damage.stop();
      await writer.idle();
      await maintenance.idle();
      await budget.idle();
      await inventory.idle();
      await sweeping;
      await engine.settled();
      // Closing would checkpoint too, but block the event loop. A failed checkpoint is done at the next opening.
      for (const segment of segments.all()) await segments.checkpoint(segment).catch(() => undefined);
      await inventory.checkpoint().catch(() => undefined);
      engine.close();
    },
  };
}

function jsonLength({ resources }: SnapshotPart): number {
  return resources.reduce((sum, { config, tags = '' }) => sum + config.length + tags.length, 0);
}

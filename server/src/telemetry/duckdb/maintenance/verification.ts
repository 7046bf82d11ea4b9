import { basename, join } from 'node:path';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { FileCheck, VerificationProgress } from '../../verification.ts';
import { isDamagedBlock } from '../engine/disk-failure.ts';
import type { Engine } from '../engine/engine.ts';
import { systemTenant } from '../engine/statements.ts';
import type { Inventory } from '../inventory/inventory.ts';
import {
  attemptsTable,
  inventoryName,
  scopesTable,
  stagedTable,
  versionsTable,
} from '../inventory/inventory-tables.ts';
import { postureTables } from '../inventory/posture-tables.ts';
import type { Damage } from '../recovery/damage.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';

export interface VerificationDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly inventory: Inventory;
  readonly statements: FairQueue;
  readonly damage: Damage;
}

interface Table {
  readonly database: string;
  readonly name: string;
  readonly records: number;
}

/** Reads every row of every file, concurrent with searches and ingest. */
export async function verify(
  deps: VerificationDeps,
  progress: VerificationProgress,
  signal: AbortSignal,
): Promise<FileCheck[]> {
  const { engine, segments, inventory } = deps;
  const result = await engine.use((connection) =>
    connection.runAndReadAll(
      'select database_name, table_name, estimated_size from duckdb_tables() where not internal and not temporary',
    ),
  );
  const tables = result.getRows().map(
    ([database, name, records]): Table => ({
      database: String(database),
      name: String(name),
      records: Number(records),
    }),
  );
  progress.begin(tables.reduce((sum, { records }) => sum + records, 0));
  const checks: FileCheck[] = [];
  for (const segment of segments.all()) {
    const own = tables.filter(({ database }) => database === segment.name);
    checks.push(await verifyDay(deps, segment, own, progress, signal));
  }
  const own = tables.filter(({ database }) => database === inventoryName);
  if (inventory.exists) checks.push(await verifyInventory(deps, own, progress, signal));
  return checks;
}

async function verifyDay(
  { segments, damage }: VerificationDeps,
  segment: Segment,
  tables: readonly Table[],
  progress: VerificationProgress,
  signal: AbortSignal,
): Promise<FileCheck> {
  const problems: { dataset: string; reason: string }[] = [];
  for (const { name, records } of tables) {
    // A day dropped meanwhile is not damaged.
    if (!segments.all().includes(segment)) break;
    const reason = await damage.check({ segment, table: name }, signal);
    if (reason !== undefined) problems.push({ dataset: name, reason });
    progress.advance(records);
  }
  return {
    file: join('days', basename(segments.pathOf(segment))),
    day: segment.day,
    records: tables.reduce((sum, { records }) => sum + records, 0),
    accounts: [...segment.accounts],
    problems,
  };
}

async function verifyInventory(
  { engine, statements, inventory }: VerificationDeps,
  tables: readonly Table[],
  progress: VerificationProgress,
  signal: AbortSignal,
): Promise<FileCheck> {
  const problems: { dataset: string; reason: string }[] = [];
  const read = (sql: string) =>
    statements.run(
      systemTenant,
      () => engine.use((connection) => connection.runAndReadAll(sql), signal),
      signal,
    );
  for (const table of [versionsTable, scopesTable, attemptsTable, stagedTable, ...postureTables]) {
    await read(`select bit_xor(hash(whole)) from ${table} as whole`).catch((error: Error) => {
      if (!isDamagedBlock(error)) throw error;
      const dataset = postureTables.includes(table) ? 'evaluations' : 'resources';
      problems.push({ dataset, reason: error.message });
    });
  }
  const records = tables.reduce((sum, table) => sum + table.records, 0);
  progress.advance(records);
  // A narrow column, often intact if others are damaged.
  const accounts = await read(`select distinct account from ${versionsTable}`).then(
    (result) => result.getRows().map(([account]) => String(account)),
    () => [],
  );
  return { file: join('days', basename(inventory.path)), records, accounts, problems };
}

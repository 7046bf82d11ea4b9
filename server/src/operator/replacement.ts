import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Actor } from '../control/actor.ts';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { Refusal } from '../platform/errors.ts';
import { archiveTables, rowsOf } from './archive.ts';
import { RowBatch } from './row-batch.ts';

const attempts = 40;

/**
 * Replaces all rows with those of another database in one transaction that excludes other writers; `mark` runs in the
 * same transaction.
 */
export async function replaceAllRows(
  store: ControlStore,
  source: Kysely<Tables>,
  actor: Actor,
  mark: (tx: ControlTransaction) => Promise<unknown>,
): Promise<number> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await store.transaction(actor, async (tx, act) => {
        if (store.dialect === 'postgres') await lockTables(tx);
        for (const table of archiveTables().reverse()) await tx.deleteFrom(table).execute();
        const rows = await copy(source, tx);
        await mark(tx);
        act.describe(`${rows} rows replaced everything before`);
        return rows;
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // Random delay, to avoid repeated collisions with writers.
      await setTimeout(50 + Math.random() * 200);
    }
  }
  throw new Refusal('CONFLICT', 'The backup was not restored because other nodes kept writing: try again.');
}

/**
 * SQLite has a single writer. In PostgreSQL a change committed between the deletion and the commit would survive, for
 * example an audit entry without its token. Tables are locked in the order of most writers, the audit log last; a
 * writer in the opposite order would deadlock, so the lock timeout is shorter than PostgreSQL's deadlock timeout of a
 * second.
 */
async function lockTables(tx: ControlTransaction): Promise<void> {
  const last = 'audit_log';
  const order = [...archiveTables().filter((table) => table !== last), last];
  await sql`set local lock_timeout = '500ms'`.execute(tx);
  await sql`lock table ${sql.join(order.map((table) => sql.table(table)))} in exclusive mode`.execute(tx);
}

async function copy(source: Kysely<Tables>, target: Kysely<Tables>): Promise<number> {
  let rows = 0;
  const batch = new RowBatch(target);
  for (const table of archiveTables()) {
    for await (const row of rowsOf(source, table)) {
      await batch.add(table, row);
      rows++;
    }
  }
  await batch.flush();
  return rows;
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03';
}

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
 * Puts the rows of another database in place of all rows, in one transaction in which nobody else writes; `mark` adds to
 * the same transaction.
 */
export async function replaceEverything(
  store: ControlStore,
  source: Kysely<Tables>,
  actor: Actor,
  mark: (tx: ControlTransaction) => Promise<unknown>,
): Promise<number> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await store.transaction(actor, async (tx, act) => {
        if (store.dialect === 'postgres') await keepWritersOut(tx);
        for (const table of archiveTables().reverse()) await tx.deleteFrom(table).execute();
        const rows = await copy(source, tx);
        await mark(tx);
        act.describe(`${rows} rows replaced everything before`);
        return rows;
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // Not all at the same beat as those who write.
      await setTimeout(50 + Math.random() * 200);
    }
  }
  throw new Refusal('CONFLICT', 'The backup was not restored because other nodes kept writing: try again.');
}

/**
 * SQLite has one writer anyway. In PostgreSQL a change that commits between the deletion and the end would survive it,
 * an audit entry without its token for example. The order is that in which most changes are written, the audit entry
 * last; whoever goes the other way round would wait for us and we for them, so we give up before PostgreSQL, after a
 * second, ends one of the two.
 */
async function keepWritersOut(tx: ControlTransaction): Promise<void> {
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

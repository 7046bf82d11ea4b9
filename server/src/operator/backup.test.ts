import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sqliteFile } from '../control/connect.ts';
import { readKeyFile, secretKeyFile } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import { countTokens, linesOfArchive, rowsOfArchive } from '../testing/archive.ts';
import { requestOperator } from '../testing/operator.ts';
import { TestService } from '../testing/service.ts';
import { backup } from './backup.ts';
import { Progress } from './progress.ts';

let service: TestService;
beforeEach(async () => {
  service = await TestService.start();
});
afterEach(() => service.stop());

describe('a backup', () => {
  test('is a consistent snapshot while the service keeps writing', async () => {
    await fillAuditLog(service.store);
    await service.token();
    const archive = backup({
      store: service.store,
      createdAt: 'now',
      place: 'local',
      progress: new Progress(),
    });
    onTestFinished(() => void archive.destroy());
    // By the first compressed chunk, the tables before the audit log have been read.
    await new Promise((resolve) => archive.once('readable', resolve));
    await expect.poll(() => archive.readableLength).toBeGreaterThan(10_000);
    await Promise.all([service.token(), service.token(), service.accounts.create('created-later')]);
    const rows = rowsOfArchive(await buffer(archive));
    expect(countTokens(rows)).toEqual({ tokens: 1, acts: 1 });
    expect(JSON.stringify(rows)).not.toContain('created-later');
  });

  test('contains no plaintext secret or token, and the secret key only on request', async () => {
    const token = await service.token();
    const { bytes: plain } = await requestOperator(service.place.directory, '/backup');
    const { bytes: withKey } = await requestOperator(service.place.directory, '/backup?with-key');
    const [secretKey = ''] = readKeyFile(secretKeyFile(service.place.directory));
    for (const archive of [plain, withKey]) {
      const content = linesOfArchive(archive).join('\n');
      expect(content).not.toContain(service.firstKey.secret.slice(1));
      expect(content).not.toContain(token.slice(1));
      expect(content).toContain(service.firstKey.keyId);
    }
    expect(linesOfArchive(plain).join('\n')).not.toContain(secretKey);
    expect(linesOfArchive(withKey)[0]).toContain(secretKey);
  });

  test('closes its snapshot when the reader disconnects', async () => {
    await fillAuditLog(service.store);
    const archive = backup({
      store: service.store,
      createdAt: 'now',
      place: 'local',
      progress: new Progress(),
    });
    await new Promise((resolve) => archive.once('readable', resolve));
    await expect.poll(() => openSnapshots(service.store)).toBe(1);
    archive.destroy();
    await expect.poll(() => openSnapshots(service.store)).toBe(0);
  });
});

/** More rows than the streams buffer, so that a backup waits for its reader. */
async function fillAuditLog(store: ControlStore, rows = 3000): Promise<void> {
  const entries = Array.from({ length: rows }, (_, index) => ({
    id: index.toString(16).padStart(32, '0'),
    owner_id: 'other',
    created_at: index,
    account_name: 'OTHER',
    user_name: 'other',
    event_name: 'Filler',
    user_action: 'Filler',
    event_description: randomBytes(500).toString('base64'),
  }));
  await store.housekeeping(async (tx) => {
    for (let start = 0; start < rows; start += 500)
      await tx
        .insertInto('audit_log')
        .values(entries.slice(start, start + 500))
        .execute();
  });
}

/** Number of open snapshots. In SQLite an open snapshot prevents the WAL from being truncated. */
async function openSnapshots(store: ControlStore): Promise<number> {
  if (store.dialect === 'sqlite') {
    await store.housekeeping((tx) => tx.deleteFrom('rate_takes').execute());
    const database = new DatabaseSync(sqliteFile(store.url));
    const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    database.close();
    return busy;
  }
  const { rows } = await sql<{ open: number }>`select count(*) as open from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(store.read);
  return rows[0]?.open ?? 0;
}

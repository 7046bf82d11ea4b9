import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readKeyFile, sealingContext, secretKeyFile } from '../control/secret-key.ts';
import { ControlStore } from '../control/store.ts';
import { Directory } from '../identity/directory.ts';
import { Keyring } from '../platform/keyring.ts';
import { createLog } from '../platform/log.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import {
  type ArchivedRow,
  archiveOfLines,
  contentOf,
  countTokens,
  linesOfArchive,
  rowsOfArchive,
} from '../testing/archive.ts';
import { requestOperator } from '../testing/operator.ts';
import { TestService } from '../testing/service.ts';
import { backup } from './backup.ts';
import { Progress } from './progress.ts';
import { restore } from './restore.ts';

let service: TestService;
const others: TestService[] = [];
beforeEach(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
});
afterEach(async () => {
  for (const running of [service, ...others.splice(0)]) await running.stop();
});

async function startOther(): Promise<TestService> {
  const other = await TestService.start({ VEDETTE_ACCOUNT: 'other' });
  others.push(other);
  return other;
}

const operator = (path: string, body?: Uint8Array, at = service) =>
  requestOperator(at.place.directory, path, body);
const takeBackup = async (at = service, path = '/backup') => (await operator(path, undefined, at)).bytes;
const profile = (token: string) => service.request('GET', '/api/v2/UserProfile', { token });

/** A user row in the schema of the first version. */
const firstVersionRow = ({
  id,
  organization_id,
  email,
  organization_role,
  created_at,
}: ArchivedRow['row']) => ({
  ...{ id, organization_id, email, organization_role, created_at },
});

const isRestore = ({ row }: ArchivedRow) => row.event_name === 'Backup Restored';
const withoutRestores = (rows: ArchivedRow[]) => rows.filter((row) => !isRestore(row));

describe('a restore', () => {
  test('restores everything, including an account deleted meanwhile', async () => {
    const { id } = await service.accounts.create('second');
    const key = await service.member('second@example.com', 'accountAdmin', 'second');
    const token = await service.token(key);
    const [before, archive] = [await contentOf(service.store), await takeBackup()];
    await service.accounts.delete('second');
    await service.accounts.create('third');
    const ownedRows = () => service.store.read.selectFrom('audit_log').where('owner_id', '=', id);
    await expect.poll(() => ownedRows().select('id').execute()).toEqual([]);
    expect((await profile(token)).status).toBe(401);
    const { status, body } = await operator('/restore', archive);
    expect([status, body.rows]).toEqual([200, rowsOfArchive(archive).length]);
    const after = await contentOf(service.store);
    expect(withoutRestores(after)).toEqual(before);
    expect(after.filter(isRestore).map(({ row }) => row.user_name)).toEqual(['operator@example.com']);
    expect((await profile(token)).body.data[0].username).toBe('second@example.com');
    await service.token(key);
    await service.restart();
    expect((await profile(token)).status).toBe(200);
  });

  test('restores passwords, and ends sessions and sign-in links', async () => {
    const password = 'seven green rivers';
    const signIn = (given: string) =>
      service.request('POST', '/session/password', {
        headers: { origin: service.url },
        body: { email: 'admin@local', password: given },
      });
    const session = await service.signIn();
    const setPassword = (given: string) =>
      service.request('PUT', '/session/own-password', { session, body: { password: given } });
    expect((await setPassword(password)).status).toBe(204);
    const { url } = await service.links.create(new Directory(service.store, 'tester'), service.url);
    const archive = await takeBackup();
    const tables = new Set(rowsOfArchive(archive).map(({ table }) => table as string));
    expect(['passwords', 'sessions', 'sign_in_links'].map((table) => tables.has(table))).toEqual([
      true,
      false,
      false,
    ]);
    expect((await setPassword('nine yellow harbours')).status).toBe(204);
    expect((await operator('/restore', archive)).status).toBe(200);
    expect((await service.request('GET', '/session', { session })).status).toBe(401);
    const code = new URL(url).hash.slice(1);
    const link = { headers: { origin: service.url }, body: { code } };
    expect((await service.request('POST', '/session/link', link)).status).toBe(401);
    expect((await signIn('nine yellow harbours')).status).toBe(401);
    expect((await signIn(password)).status).toBe(200);
  });

  test('restores the evaluation state of policies', async () => {
    const evaluations = () => service.store.read.selectFrom('evaluations');
    const rows = () => evaluations().select(['policy_id', 'counts']).orderBy('policy_id').execute();
    const listed = (await service.request('GET', '/api/v2/Policies', { token: await service.token() })).body;
    const evaluated = listed.data.filter(
      (one: Record<string, unknown>) => one.enabled && one.policyType !== 'Manual',
    );
    // Long queries are parsed in a thread, and their rows follow.
    await expect.poll(async () => (await rows()).length).toBe(evaluated.length);
    const mark = (counts: string | null) =>
      service.store.housekeeping((tx) => tx.updateTable('evaluations').set({ counts }).execute());
    await mark('{"found":7}');
    const [before, archive] = [await rows(), await takeBackup()];
    await mark(null);
    await operator('/restore', archive);
    expect(await rows()).toEqual(before);
  });

  test('rejects the archive of another server without its key and mentions --with-key', async () => {
    const other = await startOther();
    const before = await contentOf(service.store);
    const { status, body } = await operator('/restore', await takeBackup(other));
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(body.message).toContain('--with-key');
    expect(await contentOf(service.store)).toEqual(before);
  });

  test('accepts the archive of another server with its key and encrypts with its own', async () => {
    const other = await startOther();
    await operator('/restore', await takeBackup(other, '/backup?with-key'));
    expect(await service.token(other.firstKey)).toMatch(/^_/);
    await expect(service.token(service.firstKey)).rejects.toThrow('UNAUTHENTICATED');
    const { sealed } = await service.store.read
      .selectFrom('sealing_check')
      .select('sealed')
      .executeTakeFirstOrThrow();
    const own = new Keyring(readKeyFile(secretKeyFile(service.place.directory)));
    expect(own.open(sealed, sealingContext('sealing_check', 'sealed', 'check'))).toBe('vedette');
    await service.restart();
    expect(await service.token(other.firstKey)).toMatch(/^_/);
  });

  test('is atomic while tokens are created', async () => {
    await service.token();
    const archive = await takeBackup();
    let isFinished = false;
    const loops = Array.from({ length: 6 }, async () => {
      while (!isFinished) await service.token().catch(() => {});
    });
    try {
      for (let round = 0; round < 5; round++)
        expect((await operator('/restore', archive)).body).toEqual({
          rows: rowsOfArchive(archive).length,
          records: 0,
          held: true,
        });
    } finally {
      isFinished = true;
      await Promise.all(loops);
    }
    const { tokens, acts } = countTokens(await contentOf(service.store));
    expect(tokens).toBe(acts);
  });

  test('transfers an archive to SQLite and back', async () => {
    await service.token();
    const sqlite = await ControlStore.open(
      `sqlite:${join(service.place.directory, 'other.db')}`,
      service.clock,
    );
    const keyring = new Keyring(readKeyFile(secretKeyFile(service.place.directory)));
    const telemetry = await Telemetry.open({
      directory: join(service.place.directory, 'other'),
      limits: { memory: '256MB', threads: 1 },
      store: sqlite,
      clock: service.clock,
      log: createLog('silent'),
      diskCap: undefined,
      searchSeconds: 60,
      keyring,
    });
    const progress = new Progress();
    const deps = {
      ...{ telemetry, keyring, progress, place: 'local', clock: service.clock, isHeld: false },
      dataDirectory: service.place.directory,
      userName: 'operator@example.com',
    };
    const before = await contentOf(service.store);
    const exported = backup({ store: service.store, createdAt: 'now', place: 'local', progress });
    await restore(exported, { ...deps, store: sqlite });
    expect(withoutRestores(await contentOf(sqlite))).toEqual(before);
    await service.accounts.create('temporary');
    const returned = backup({ store: sqlite, createdAt: 'now', place: 'local', progress });
    await restore(returned, { ...deps, store: service.store });
    expect(withoutRestores(await contentOf(service.store))).toEqual(before);
    await sqlite.close();
  });

  test('migrates an archive of an older version', async () => {
    const [header = '', ...lines] = linesOfArchive(await takeBackup());
    const tables = ['organizations', 'accounts', 'users', 'memberships', 'api_keys', 'access_tokens'];
    const rows = lines
      .map((line): ArchivedRow => JSON.parse(line))
      .filter(({ table }) => tables.includes(table))
      .map(({ table, row }) =>
        JSON.stringify({ table, row: table === 'users' ? firstVersionRow(row) : row }),
      );
    const { telemetry, ...rest } = JSON.parse(header);
    const old = { ...rest, migration: '0001-identity' };
    const archive = archiveOfLines([JSON.stringify(old), ...rows, JSON.stringify({ rows: rows.length })]);
    const restored = (await operator('/restore', archive)).body;
    // The migrations in between add the initial objects of every account.
    const groups = await service.store.read.selectFrom('resource_groups').select('id').execute();
    expect(groups.length).toBeGreaterThan(0);
    expect(restored).toEqual({ rows: rows.length + groups.length, held: true });
    await service.token();
    await service.restart();
    await service.token();
  });
});

describe('a restore rejects, without changes,', () => {
  const changed = (change: (lines: string[]) => string[]) => (archive: Buffer) =>
    archiveOfLines(change(linesOfArchive(archive)));
  const withLine = (line: unknown) =>
    changed((lines) => [
      ...lines.slice(0, -1),
      JSON.stringify(line),
      JSON.stringify({ rows: lines.length - 1 }),
    ]);
  const withHeader = (header: unknown) =>
    changed(([first = '{}', ...lines]) => [
      JSON.stringify(header && { ...JSON.parse(first), ...header }),
      ...lines,
    ]);

  test.each<[string, string, (archive: Buffer) => Uint8Array]>([
    ['a truncated gzip file', 'complete gzip', (archive) => archive.subarray(0, -20)],
    ['an archive without its last line', 'truncated', changed((lines) => lines.slice(0, -1))],
    ['an archive without one of its rows', 'truncated', changed((lines) => lines.toSpliced(-3, 1))],
    ['an empty file', 'gzip', () => Buffer.alloc(0)],
    ['random bytes', 'gzip', () => randomBytes(100_000)],
    ['a gzip file with other content', 'JSON', () => archiveOfLines(['not an archive'])],
    ['another format', '`vedette backup`', withHeader({ format: 'other' })],
    ['a header that is not an object', 'object', withHeader(null)],
    ['a newer version', 'upgrade', withHeader({ migration: '9999-future' })],
    ['an unknown version', 'upgrade', withHeader({ migration: 'toString' })],
    ['secret keys that are not strings', 'secret keys', withHeader({ secretKeys: [7] })],
    ['an unknown table', "'unknown'", withLine({ table: 'unknown', row: { id: '1' } })],
    ['an unknown column', 'does not match', withLine({ table: 'accounts', row: { unknown: 1 } })],
    ['a null row', 'does not match', withLine({ table: 'accounts', row: null })],
    [
      'a row with a dangling reference',
      'does not match',
      withLine({ table: 'memberships', row: { user_id: 'x', account_id: 'y', role: 'accountUser' } }),
    ],
    ['an archive without an organization', 'organization', changed(([first = '']) => [first, '{"rows":0}'])],
  ])('%s', async (_, reason, damage) => {
    const damaged = damage(await takeBackup());
    const before = await contentOf(service.store);
    const { status, body } = await operator('/restore', damaged);
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(body.message).toContain(reason);
    expect(await contentOf(service.store)).toEqual(before);
  });

  test('a long archive without reading it to the end', async () => {
    const long = archiveOfLines(['{"format":"other"}', randomBytes(5_000_000).toString('base64')]);
    expect((await operator('/restore', long)).status).toBe(400);
  });

  test('an interrupted upload', async () => {
    const archive = await takeBackup();
    const before = await contentOf(service.store);
    const half = Readable.from(
      (async function* () {
        yield archive.subarray(0, archive.length / 2);
        throw new Error('connection lost');
      })(),
    );
    await expect(requestOperator(service.place.directory, '/restore', half)).rejects.toThrow();
    expect((await operator('/restore', archive)).status).toBe(200);
    expect(withoutRestores(await contentOf(service.store))).toEqual(before);
  });
});

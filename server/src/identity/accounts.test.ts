import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeOwner } from '../control/purge.ts';
import { Outbox } from '../jobs/outbox.ts';
import { createLog } from '../platform/log.ts';
import { TestService } from '../testing/service.ts';
import { accountDeleted } from './accounts.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

describe('a deleted account', () => {
  test('loses its data and the access of its users, and other accounts are unaffected', async () => {
    const { id } = await service.accounts.create('obsolete');
    const memberKey = await service.member('member@example.com', 'accountAdmin', 'obsolete');
    const sharedKey = await service.member('shared@example.com', 'accountAdmin', 'obsolete');
    await service.users.grant('shared@example.com', 'accountAdmin', 'local');
    const localKey = await service.keys.create('shared@example.com', { account: 'local' });
    const [memberToken, sharedToken, localToken] = [
      await service.token(memberKey),
      await service.token(sharedKey),
      await service.token(localKey),
    ];
    await service.accounts.delete('obsolete');
    const status = async (token: string, headers = {}) =>
      (await service.request('GET', '/api/v2/AuditLogs', { token, headers })).status;
    expect(await status(memberToken)).toBe(401);
    expect(await status(sharedToken)).toBe(401);
    expect(await status(localToken)).toBe(200);
    expect(await status(localToken, { 'Account-Name': 'obsolete' })).toBe(403);
    expect((await service.users.list()).map(({ email }) => email)).toEqual([
      'admin@local',
      'shared@example.com',
    ]);
    await new Outbox(service.store, service.clock, createLog('silent'), {
      [accountDeleted]: ({ accountId }: { accountId: string }) => purgeOwner(service.store, accountId),
    }).drain();
    const remaining = await service.store.read
      .selectFrom('audit_log')
      .select('id')
      .where('owner_id', '=', id)
      .execute();
    expect(remaining).toEqual([]);
    const { body } = await service.request('GET', '/api/v2/AuditLogs', {
      token: await service.token(),
      headers: { 'Org-Access': 'true' },
    });
    expect(body.data.map((entry: { eventName: string }) => entry.eventName)).toContain('Account Deleted');
  });

  test('cannot be the primary account of the organization', async () => {
    await expect(service.accounts.delete('local')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('must exist, and a new one must have a valid unused name', async () => {
    await expect(service.accounts.delete('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.accounts.create('local')).rejects.toMatchObject({ code: 'CONFLICT' });
    for (const name of ['', 'Big', 'a b', '-a', 'a'.repeat(41), 'a_b']) {
      await expect(service.accounts.create(name)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });
});

describe('API keys', () => {
  test('have the format that the CLI accepts', async () => {
    const { keyId, secret } = await service.keys.create('admin@local');
    expect(keyId).toMatch(/^LOCAL_[0-9A-F]{50}$/);
    expect(secret).toMatch(/^_[0-9a-f]{32}$/);
  });

  test('are limited to 20 per user, also for 25 concurrent requests', async () => {
    await service.users.grant('collector@example.com', 'orgAdmin');
    const results = await Promise.allSettled(
      Array.from({ length: 25 }, () => service.keys.create('collector@example.com')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(failed.reason).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('20') });
    const [first] = await service.keys.list('collector@example.com');
    await service.keys.delete(first?.keyId as string);
    await expect(service.keys.create('collector@example.com')).resolves.toMatchObject({ account: 'local' });
  });

  test('are stored without their secret', async () => {
    const { secret } = await service.keys.create('admin@local');
    const rows = await service.store.read.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await service.accounts.create('alpha');
  await service.accounts.create('beta');
});
afterAll(() => service.stop());

const profile = async (token: string) =>
  (await service.request('GET', '/api/v2/UserProfile', { token })).body.data;

describe('GET UserProfile', () => {
  test('returns all accounts to an organization administrator, as one element', async () => {
    const data = await profile(await service.token());
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      username: 'admin@local',
      orgAccount: true,
      orgAdmin: true,
      orgUser: false,
      url: 'local.lacework.net',
    });
    expect(
      data[0].accounts.map(({ accountName, admin, userEnabled }: never) => [accountName, admin, userEnabled]),
    ).toEqual([
      ['ALPHA', true, 1],
      ['BETA', true, 1],
      ['LOCAL', true, 1],
    ]);
    expect(data[0].accounts[0].custGuid).toMatch(/^ALPHA_[A-Z0-9]{47}$/);
    expect(data[0].accounts[0].userGuid).toMatch(/^LOCAL_[A-Z0-9]{47}$/);
  });

  test('lists accounts only, and the public host name if it is configured', async () => {
    const [{ url, accounts }] = await profile(await service.token());
    // Clients list the URL without .lacework.net as an account, so it must be one.
    const names = accounts.map(({ accountName }: { accountName: string }) => accountName.toLowerCase());
    expect(names).toContain(url.split('.lacework.net')[0]);
    const publicService = await TestService.start({
      VEDETTE_PUBLIC_URL: 'https://vedette.example.com:8443/',
    });
    const { body } = await publicService.request('GET', '/api/v2/UserProfile', {
      token: await publicService.token(),
    });
    expect(body.data[0].url).toBe('vedette.example.com:8443');
    await publicService.stop();
  });

  test('returns all accounts without admin rights to an organization user, and only their own to an account administrator', async () => {
    const viewer = await service.token(await service.member('viewer@example.com', 'orgUser'));
    const [profileOfViewer] = await profile(viewer);
    expect([
      profileOfViewer.orgAdmin,
      profileOfViewer.orgUser,
      profileOfViewer.accounts.map(({ admin }: { admin: boolean }) => admin),
    ]).toEqual([false, true, [false, false, false]]);
    const alice = await service.token(await service.member('alice@example.com', 'accountAdmin', 'alpha'));
    const [own] = await profile(alice);
    expect(own.accounts.map(({ accountName }: { accountName: string }) => accountName)).toEqual(['ALPHA']);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

describe('GET OrganizationInfo', () => {
  test('returns the organization account in the format of clients', async () => {
    const { body } = await service.request('GET', '/api/v2/OrganizationInfo', {
      token: await service.token(),
    });
    expect(body).toEqual({ data: [{ orgAccount: true, orgAccountUrl: 'local.lacework.net' }] });
  });

  test('returns the public host name if it is configured, and never the Host header', async () => {
    const forwarded = { 'X-Forwarded-Host': 'evil.example.com', 'X-Forwarded-For': '1.2.3.4' };
    const request = async (target: TestService) =>
      (
        await target.request('GET', '/api/v2/OrganizationInfo', {
          token: await target.token(),
          headers: forwarded,
        })
      ).body.data[0].orgAccountUrl;
    expect(await request(service)).toBe('local.lacework.net');
    const publicService = await TestService.start({ VEDETTE_PUBLIC_URL: 'https://vedette.example.com' });
    expect(await request(publicService)).toBe('vedette.example.com');
    await publicService.stop();
    const proxied = await TestService.start({ VEDETTE_TRUSTED_PROXIES: '127.0.0.1' });
    expect(await request(proxied)).toBe('local.lacework.net');
    await proxied.stop();
  });
});

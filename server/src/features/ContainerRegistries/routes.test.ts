import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start();
  token = await service.token();
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/ContainerRegistries${path}`, { token, body });

describe('a scanner registry', () => {
  test('has a permanent server token, no state, and its subtype as a tag', async () => {
    const body = {
      name: 'inline',
      type: 'ContVulnCfg',
      enabled: 1,
      data: { registryType: 'INLINE_SCANNER', limitNumScan: '60' },
    };
    const { data } = (await request('POST', '', body)).body;
    expect(data.serverToken).toEqual({
      serverToken: expect.stringMatching(/^_[0-9a-f]{48}$/),
      uri: expect.stringContaining('http'),
    });
    expect(data).not.toHaveProperty('state');
    expect([data.props.tags, data.data.limitNumScan]).toEqual(['INLINE_SCANNER', '60']);
    const changed = await request('PATCH', `/${data.intgGuid}`, {
      data: { registryType: 'INLINE_SCANNER', identifierTag: [{ a: 'b' }] },
    });
    expect(changed.body.data.serverToken).toEqual(data.serverToken);
    const rows = await service.store.read
      .selectFrom('integrations')
      .select('server_token')
      .where('id', '=', data.intgGuid)
      .execute();
    expect(JSON.stringify(rows)).not.toContain(data.serverToken.serverToken);
  });
});

test('the URL of a scanner has the host that the client called; only trusted proxies may override it', async () => {
  const uriOf = async (target: TestService) => {
    const { body } = await target.request('POST', '/api/v2/ContainerRegistries', {
      token: await target.token(),
      body: { name: 'i', type: 'ContVulnCfg', enabled: 1, data: { registryType: 'INLINE_SCANNER' } },
      headers: { 'X-Forwarded-Host': 'other.example.com', 'X-Forwarded-For': '1.2.3.4' },
    });
    return new URL(body.data.serverToken.uri).host;
  };
  expect(await uriOf(service)).toBe(new URL(service.url).host);
  for (const [environment, host] of [
    [{ VEDETTE_PUBLIC_URL: 'https://vedette.example.com' }, 'vedette.example.com'],
    [{ VEDETTE_TRUSTED_PROXIES: '127.0.0.1' }, 'other.example.com'],
  ] as const) {
    const other = await TestService.start(environment);
    expect(await uriOf(other)).toBe(host);
    await other.stop();
  }
});

describe('registries', () => {
  test('are listed by type, and by type and subtype', async () => {
    await request('POST', '', {
      name: 'proxy',
      type: 'ContVulnCfg',
      enabled: 1,
      data: { registryType: 'PROXY_SCANNER', limitNumImg: 5 },
    });
    expect((await request('GET', '/ContVulnCfg')).body.data.length).toBeGreaterThanOrEqual(2);
    const { data } = (await request('GET', '/ContVulnCfg/PROXY_SCANNER')).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['proxy']);
    expect((await request('GET', '/Nothing/PROXY_SCANNER')).status).toBe(404);
  });

  test('record the policies that evaluate their images', async () => {
    const [{ intgGuid }] = (await request('GET', '/ContVulnCfg/PROXY_SCANNER')).body.data;
    const evaluation = { evaluate: true, policyGuids: ['one', 'two'] };
    const { status, body } = await request('POST', `/${intgGuid}/mapPolicies`, evaluation);
    expect([status, body.data.props.policyEvaluation]).toEqual([200, evaluation]);
    expect((await request('GET', `/${intgGuid}`)).body.data.props).toEqual({
      tags: 'PROXY_SCANNER',
      policyEvaluation: evaluation,
    });
    const unmapped = await request('POST', `/${intgGuid}/mapPolicies`, { evaluate: true, policyGuids: null });
    expect(unmapped.body.data.props.policyEvaluation).toEqual({ evaluate: true });
    expect((await request('POST', `/${intgGuid}/mapPolicies`, {})).body.message).toContain('evaluate');
  });
});

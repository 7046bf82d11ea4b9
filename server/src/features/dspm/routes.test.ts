import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveOfLines, linesOfArchive } from '../../testing/archive.ts';
import { requestOperator } from '../../testing/operator.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const report = (authorization: string | undefined, body: unknown = { ok: true, message: 'SUCCESS' }) =>
  service.request('POST', '/api/v2/dspm/status', { body, headers: authorization ? { authorization } : {} });
const create = async (type: string, data: object, enabled = 1) => {
  const { body } = await request('POST', 'CloudAccounts', { name: 'scanner', type, enabled, data });
  return { path: `CloudAccounts/${body.data.intgGuid}`, serverToken: body.data.serverToken.serverToken };
};
const aws = (enabled = 1) => create('AwsDspm', { crossAccountCredentials: {} }, enabled);
const stateOf = async (path: string) => (await request('GET', path)).body.data.state;

describe('a scanner for sensitive data', () => {
  test.each([
    ['AwsDspm', { crossAccountCredentials: {} }],
    ['AzureDspm', { credentials: { clientId: 'c', clientSecret: 's' } }],
  ])('of type %s reports with its server token, with or without Bearer', async (type, data) => {
    const { path, serverToken } = await create(type, data);
    const before = (await request('GET', path)).body.data;
    service.clock.advance(1000);
    const first = service.clock.now();
    const working = { ok: true, lastUpdatedTime: first, lastSuccessfulTime: first };
    const response = await report(serverToken);
    expect([response.status, response.body]).toEqual([
      200,
      { data: { ...working, details: { message: 'SUCCESS' } } },
    ]);
    service.clock.advance(1000);
    const failing = { ok: false, lastUpdatedTime: service.clock.now(), lastSuccessfulTime: first };
    await report(`Bearer ${serverToken}`, { ok: false, message: 'no rights' });
    const after = (await request('GET', path)).body.data;
    expect(after).toEqual({ ...before, state: { ...failing, details: { message: 'no rights' } } });
  });

  test('is rejected with any other token, and its token grants no other access', async () => {
    const { path, serverToken } = await aws();
    const before = await stateOf(path);
    const sidekick = await create('AwsSidekick', {
      ...{ scanFrequency: 24, scanContainers: true, scanHostVulnerabilities: true },
      ...{ awsAccountId: '111111111111', bucketArn: 'arn:aws:s3:::scans', scanningAccount: '111111111111' },
      crossAccountCredentials: { roleArn: 'arn:aws:iam::111111111111:role/x', externalId: 'x' },
    });
    const disabled = await aws(0);
    for (const invalid of [
      undefined,
      'Bearer ',
      'garbage',
      token,
      sidekick.serverToken,
      disabled.serverToken,
    ]) {
      const response = await report(invalid);
      expect([response.status, response.body.message]).toEqual([
        401,
        expect.stringContaining('server token'),
      ]);
    }
    expect(await stateOf(path)).toEqual(before);
    expect((await service.request('GET', '/api/v2/CloudAccounts', { token: serverToken })).status).toBe(401);
  });

  test.each([
    [{ message: 'x' }, 'ok'],
    [{ ok: 1, message: 'x' }, 'ok'],
    [{ ok: true }, 'message'],
    [{ ok: true, message: 7 }, 'message'],
  ])('gets an error for %j', async (body, member) => {
    const response = await report((await aws()).serverToken, body);
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(member)]);
  });

  test('is rejected after its integration is deleted, and its reports are not audited', async () => {
    const { path, serverToken } = await aws();
    const entries = async () => (await request('GET', 'AuditLogs')).body.data.length;
    const before = await entries();
    expect((await report(serverToken)).status).toBe(200);
    expect(await entries()).toBe(before);
    await request('DELETE', path);
    expect((await report(serverToken)).status).toBe(401);
  });

  test('and a user who renames the integration do not overwrite each other', async () => {
    const { path, serverToken } = await aws();
    const message = 'all is well';
    await Promise.all([
      ...[1, 2, 3].map((number) => request('PATCH', path, { name: `renamed ${number}` })),
      report(serverToken, { ok: true, message }),
    ]);
    const { name, state } = (await request('GET', path)).body.data;
    expect([name, state.details]).toEqual([expect.stringContaining('renamed'), { message }]);
  });
});

describe('a server token of a release without fingerprints', () => {
  test('gets a fingerprint on the next start', async () => {
    const { serverToken } = await aws();
    await service.store.housekeeping((tx) =>
      tx.updateTable('integrations').set({ server_token_fingerprint: null }).execute(),
    );
    expect((await report(serverToken)).status).toBe(401);
    await service.restart();
    expect((await report(serverToken)).status).toBe(200);
  });

  test('gets a fingerprint when an old backup is restored', async () => {
    const { path, serverToken } = await aws();
    const { bytes } = await requestOperator(service.place.directory, '/backup');
    const old = linesOfArchive(bytes).map((line) => {
      const { row, ...rest } = JSON.parse(line);
      if (row) delete row.server_token_fingerprint;
      return JSON.stringify(row ? { ...rest, row } : rest);
    });
    await request('DELETE', path);
    const { status } = await requestOperator(service.place.directory, '/restore', archiveOfLines(old));
    expect(status).toBe(200);
    expect((await report(serverToken)).status).toBe(200);
  });
});

import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Program } from '../program.sample.ts';

// Each command is a separate process.
vi.setConfig({ testTimeout: 300_000 });

let installation: TestPlace;
let server: ServerProcess;
let url: string;
let program: Program;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  server = new ServerProcess(installation);
  url = await server.url();
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await installation.remove();
});

test('rotate replaces an agent access token, and agents get the new one', async () => {
  const headers = {
    authorization: `Bearer ${(await program.output('token')).trim()}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ tokenAlias: 'hosts', tokenEnabled: 1 });
  const created = await fetch(`${url}/api/v2/AgentAccessTokens`, { method: 'POST', headers, body });
  const { accessToken: first } = ((await created.json()) as { data: { accessToken: string } }).data;
  const [, second = ''] = /^Token {2}([0-9a-f]{56})\n/.exec(await program.output('token rotate hosts')) ?? [];
  const report = (token: string) =>
    fetch(`${url}/ingest/v1/Activities/DNSs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify([
        {
          ...{ createdTime: new Date().toISOString(), mid: 1, fqdn: 'a.example', ttl: 60 },
          ...{ hostIpAddr: '192.0.2.1', dnsServerIp: '192.0.2.53' },
        },
      ]),
    });
  const answer = await report(first);
  expect([answer.status, answer.headers.get('vedette-token')]).toEqual([200, second]);
  const { accessToken: third } = await program.data('token rotate hosts --grace-days 0');
  expect([(await report(first)).status, (await report(third)).status]).toEqual([401, 200]);
  expect(await program.errorOutput('token rotate nobody')).toContain("no agent access token 'nobody'");
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Program } from '../program.sample.ts';

// Each command is a separate process.
vi.setConfig({ testTimeout: 300_000 });

let installation: TestPlace;
let server: ServerProcess;
let program: Program;
let root: string;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  server = await ServerProcess.ready(installation);
  root = join(installation.directory, 'image');
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await installation.remove();
});

const configuration = () => JSON.parse(readFileSync(join(root, 'etc/vedette/agent.json'), 'utf8'));

test('install on the host of the server makes a token that the server accepts', async () => {
  expect(await program.output(`agent install --root ${root}`)).toContain(`The agent is in ${root}.`);
  const { server: url, token } = configuration();
  expect(url).toBe(await server.url());
  const answer = await fetch(`${url}/ingest/v1/Activities/DNSs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify([
      {
        ...{ createdTime: new Date().toISOString(), mid: 1, fqdn: 'a.example', ttl: 60 },
        ...{ hostIpAddr: '192.0.2.1', dnsServerIp: '192.0.2.53' },
      },
    ]),
  });
  expect(answer.status).toBe(200);
  await program.output(`agent install --root ${root} --tags Env=test`);
  expect(configuration()).toEqual({ server: url, token, tags: 'Env=test' });
  await program.output(`agent uninstall --root ${root}`);
  expect(existsSync(join(root, 'etc/vedette/agent.json'))).toBe(false);
});

test('install asks for what another server needs', async () => {
  const words = `agent install --root ${root} --server https://vedette.example.com`;
  expect(await program.errorOutput(words)).toContain('--token is missing');
  await program.output(`${words} --token a1`);
  expect(configuration()).toEqual({ server: 'https://vedette.example.com', token: 'a1' });
});

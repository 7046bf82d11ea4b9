import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Program } from '../program.sample.ts';

vi.setConfig({ testTimeout: 300_000 });

let installation: TestPlace;
let server: ServerProcess;
let program: Program;
let url: string;
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

const signIn = (link: string) =>
  fetch(`${url}/session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ code: new URL(link).hash.slice(1) }),
  });
const welcome = () => `${url.replace('127.0.0.1', 'vedette.localhost')}/welcome#`;
const file = () => join(installation.directory, 'sign-in-link');

test('sign-in-link prints a link that works once, for the user or the first administrator', async () => {
  await program.output('user create --email ada@example.com --role orgUser');
  for (const [options, email] of [
    ['', 'admin@local'],
    [' --user Ada@example.com', 'ada@example.com'],
  ]) {
    const link = (await program.output(`sign-in-link${options}`)).trim();
    expect(link.startsWith(welcome())).toBe(true);
    const response = await signIn(link);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { user: { email } } });
    expect((await signIn(link)).status).toBe(401);
  }
  const json = JSON.parse(await program.output('sign-in-link --user ada@example.com --json'));
  expect(json).toMatchObject({ user: 'ada@example.com', expiresTime: expect.stringMatching(/^20.*Z$/) });
});

test('the first start writes a link to a private file, until someone has a password', async () => {
  expect(server.output).toContain('  Sign in    open the link in sign-in-link (once, within an hour)');
  const link = readFileSync(file(), 'utf8').trim();
  expect(server.output).not.toContain(new URL(link).hash);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const cookie = (await signIn(link)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const set = await fetch(`${url}/session/own-password`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify({ password: 'seven green rivers' }),
  });
  expect(set.status).toBe(204);
  await server.kill('SIGTERM');
  server = new ServerProcess(installation);
  url = await server.url();
  expect(server.output).not.toContain('Sign in');
  expect(existsSync(file())).toBe(false);
});

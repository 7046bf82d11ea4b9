import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Journal } from './journal/journal.ts';

/** `npm run torture` keeps the server away for ten minutes; otherwise it is as long as the samples take. */
const isLong = process.env.VEDETTE_TORTURE_ROUNDS !== undefined;
const [samples, pause] = isLong ? [30, 20_000] : [6, 0];
const program = fileURLToPath(new URL('main.js', import.meta.url));
/** What is not looked at. */
const without =
  'machine,processes,users,interfaces,packages,connections,containers,applications,logins,programs,keys,audit,executions,dns';

let place: TestPlace;
let directory: string;
let server: ServerProcess;
let agent: ChildProcess | undefined;
beforeEach(async () => {
  place = await createTestPlace();
  directory = mkdtempSync(join(tmpdir(), 'vedette-outage-'));
  mkdirSync(join(directory, 'watched'));
});
afterEach(async () => {
  agent?.kill('SIGKILL');
  await server.kill();
  await place.remove();
  rmSync(directory, { recursive: true });
});

test(
  `of ${samples} samples while the server is away and the agent is killed twice, each is stored once`,
  async () => {
    const port = `${await freePort()}`;
    const environment = { VEDETTE_PORT: port, VEDETTE_RATE_LIMIT: 'off' };
    server = await ServerProcess.ready(place, { environment });
    const url = await server.url();
    const token = await agentToken(url);
    const start = () => {
      agent = spawn(
        process.execPath,
        [
          ...[program, '--server', url, '--state-directory', join(directory, 'state')],
          ...['--watched', join(directory, 'watched'), '--without', without],
        ],
        { env: { PATH: process.env.PATH, VEDETTE_AGENT_TOKEN: token }, stdio: 'ignore' },
      );
    };
    start();
    // What is there at first is no change: the agent must have seen the directory.
    await expect.poll(async () => (await search(url, 'AgentInfo')).length).toBe(1);
    await server.kill();
    for (let sample = 1; sample <= samples; sample++) {
      writeFileSync(join(directory, 'watched', `sample-${sample}`), `${Math.random()}`);
      await expect.poll(() => journalled(), { timeout: 100_000 }).toHaveLength(sample);
      if (sample % (samples / 3) === 0 && sample < samples) {
        agent?.kill('SIGKILL');
        start();
      }
      await sleep(pause);
    }
    const written = (await journalled()).toSorted();
    server = await ServerProcess.ready(place, { environment });
    // Until the agent tries again: it waits longer the longer the server was away.
    const patience = { timeout: 400_000, interval: 1_000 };
    await expect.poll(async () => changedFiles(url), patience).toEqual(written);
  },
  isLong ? 1_200_000 : 600_000,
);

/** The paths of the changes that wait for the server, by a copy of the journal. */
async function journalled(): Promise<string[]> {
  const copy = join(directory, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(directory, 'state', 'journal'), copy, { recursive: true });
  const journal = await Journal.open({ directory: copy, maxBytes: 1e9 });
  const paths: string[] = [];
  for (let entry = await journal.next(); entry; entry = await journal.next()) {
    for (const { path, body } of entry.batches)
      if (path === 'Activities/ChangedFiles')
        paths.push(...body.split('\n').map((line) => JSON.parse(line).filePath));
    await journal.acknowledge(entry.number);
  }
  await journal.close();
  return paths;
}

async function changedFiles(url: string): Promise<unknown[]> {
  return (await search(url, 'Activities/ChangedFiles')).map(({ filePath }) => filePath).toSorted();
}

async function search(url: string, path: string): Promise<Record<string, unknown>[]> {
  const answer = await post(`${url}/api/v2/${path}/search`, { authorization: await apiToken(url) }, {});
  return (answer?.data as Record<string, unknown>[] | undefined) ?? [];
}

async function agentToken(url: string): Promise<string> {
  const headers = { authorization: await apiToken(url) };
  const body = { tokenAlias: 'hosts', tokenEnabled: 1 };
  const answer = await post(`${url}/api/v2/AgentAccessTokens`, headers, body);
  return String((answer?.data as { accessToken: string } | undefined)?.accessToken);
}

async function apiToken(url: string): Promise<string> {
  const { keyId, secret } = JSON.parse(readFileSync(join(place.directory, 'api-key.json'), 'utf8'));
  const answer = await post(`${url}/api/v2/access/tokens`, { 'x-lw-uaks': secret }, { keyId });
  return `Bearer ${answer?.token}`;
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return text === '' ? undefined : JSON.parse(text);
}

async function freePort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  await once(listening.close(), 'close');
  return port;
}

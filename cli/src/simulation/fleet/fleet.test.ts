import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection } from '@vedette/agent/delivery/connection';
import { startOfHour } from '@vedette/server/simulate/hour';
import { datasets } from '@vedette/server/telemetry/datasets';
import { TestService } from '@vedette/server/testing/service';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fleet } from './fleet.ts';
import { fleetReport } from './fleet-report.ts';
import { VirtualTime } from './virtual-time.sample.ts';

const agents = 20;
const minute = 60_000;

/** What the network between the agents and the server does with a request. */
type Fate = 'pass' | 'busy' | 'lose the answer';

let service: TestService;
let network: Server;
let fate: (attempt: number) => Fate;
let time: VirtualTime;
let fleet: Fleet;
let messages: string[];
beforeEach(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  const apiToken = await service.token();
  const body = { tokenAlias: 'fleet', tokenEnabled: 1 };
  const created = await service.request('POST', '/api/v2/AgentAccessTokens', { token: apiToken, body });
  network = await startNetwork();
  // Some minutes before the end of an hour.
  service.clock.advance(54 * minute);
  time = new VirtualTime(service.clock.now(), (passed) => service.clock.advance(passed));
  const url = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  messages = [];
  fleet = new Fleet({
    ...{ agents, seed: 3, now: time.now, wait: time.wait, log: (message) => messages.push(message) },
    connect: () => new Connection({ url, environment: {} }),
    token: created.body.data.accessToken,
  });
  fleet.start();
});
afterEach(async () => {
  network.close();
  network.closeAllConnections();
  await service.stop();
});

async function startNetwork(): Promise<Server> {
  let attempts = 0;
  fate = () => 'pass';
  const server = createServer(async (received, reply) => {
    const body = Buffer.concat(await received.toArray());
    const what = fate(attempts++);
    if (what === 'busy') return void reply.writeHead(503, { 'retry-after': '20' }).end('{"message":"Busy."}');
    const { method, url = '', headers } = received;
    const outgoing = request(new URL(url, service.url), { method, headers }, (answer) => {
      if (what === 'pass') answer.pipe(reply.writeHead(answer.statusCode ?? 0, answer.headers));
      else answer.resume().once('end', () => reply.destroy());
    });
    outgoing.once('error', () => reply.destroy());
    outgoing.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Each agent waits for its next observation, and those that could not send wait to try again. */
const isSettled = (sleepers: number) => sleepers === agents + fleet.behind;
const pass = (minutes: number) => time.passUntil(time.now() + minutes * minute, isSettled);

async function stop(): Promise<void> {
  let isOver = false;
  const stopped = fleet.stop(new AbortController().signal).then(() => {
    isOver = true;
  });
  // Only those that try again wait now.
  await time.passUntil(
    time.now() + 60 * minute,
    (sleepers) => sleepers > 0 && sleepers === fleet.behind,
    () => isOver,
  );
  await stopped;
}

async function count(path: string, filters: readonly unknown[] = []): Promise<number> {
  const from = startOfHour(time.now()) - 60 * minute;
  const range = {
    startTime: new Date(from).toISOString(),
    endTime: new Date(from + 180 * minute).toISOString(),
  };
  const body = { timeFilter: range, ...(filters.length > 0 && { filters }) };
  const answer = await service.request('POST', `/api/v2/${path}/search`, {
    token: await service.token(),
    body,
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body?.paging.totalRows ?? 0;
}

/** Every batch was stored, once. */
async function expectAllStored(): Promise<void> {
  expect({ owed: fleet.owedBatches, rejected: fleet.rejectedRecords, messages }).toMatchObject({
    owed: 0,
    rejected: 0,
  });
  expect(fleetReport(fleet, 1).exitCode).toBe(0);
  const found: Record<string, number> = {};
  const sent: Record<string, number> = {};
  for (const { path, search } of datasets) {
    const records = fleet.counts.stored.get(path)?.records;
    if (records === undefined || !search?.isPaged || search.newestPer) continue;
    [found[path], sent[path]] = [await count(path), records];
  }
  expect(found).toEqual(sent);
  expect(Object.keys(sent).length).toBeGreaterThan(10);
}

const storedRecords = async () => {
  const { text } = await service.request('GET', '/metrics');
  return Number(/records_total\{fate="stored"\} (\d+)/.exec(text)?.[1]);
};

describe('a fleet', () => {
  test('reports everything first, then what is new, and its agents are active', async () => {
    await pass(1.5);
    const first = fleet.counts.acknowledged;
    expect(fleet.counts.agents).toBe(agents);
    expect(first.batches).toBeGreaterThan(agents * 12);
    await pass(2);
    const later = fleet.counts.acknowledged;
    // A heartbeat each minute, and the processes that were started.
    expect(later.batches - first.batches).toBeGreaterThan(agents * 2);
    expect(later.batches - first.batches).toBeLessThan(agents * 14);
    await stop();
    await expectAllStored();
    expect(await storedRecords()).toBe(fleet.counts.acknowledged.records);
    expect(await count('AgentInfo', [{ field: 'status', expression: 'eq', value: 'ACTIVE' }])).toBe(agents);
    expect(messages).toEqual([]);
  });

  test('does not start at the same time', async () => {
    await pass(0.25);
    expect(fleet.counts.agents).toBeGreaterThan(0);
    expect(fleet.counts.agents).toBeLessThan(agents / 2);
    await stop();
  });

  test('waits as long as a busy server asks, and loses nothing', async () => {
    await pass(0.5);
    fate = () => 'busy';
    await pass(2);
    const { sent } = fleet.counts;
    expect(fleet.counts.refused.get(503)).toBeGreaterThan(agents);
    // Each tries again after 20 to 22 seconds.
    expect(fleet.counts.refused.get(503)).toBeLessThan(agents * 8);
    expect(fleet.behind).toBe(agents);
    fate = () => 'pass';
    await pass(1);
    expect(fleet.counts.sent).toBeGreaterThan(sent + agents);
    await stop();
    await expectAllStored();
    expect(await storedRecords()).toBe(fleet.counts.acknowledged.records);
  });

  test('sends a batch again if its answer was lost, and it is stored once', async () => {
    fate = (attempt) => (attempt % 7 === 3 ? 'lose the answer' : 'pass');
    await pass(2);
    await stop();
    expect(fleet.counts.repeated).toBeGreaterThan(agents);
    expect(fleet.counts.unanswered).toBeGreaterThanOrEqual(fleet.counts.repeated);
    await expectAllStored();
    expect(await storedRecords()).toBe(fleet.counts.acknowledged.records);
  });

  test('goes on after a restart of the server', async () => {
    await pass(1);
    const restarted = service.restart();
    await pass(1);
    await restarted;
    expect(fleet.counts.unanswered + fleet.counts.refusals).toBeGreaterThan(0);
    await pass(1);
    await stop();
    await expectAllStored();
  });

  test('reports everything again in the next hour', async () => {
    await pass(1.5);
    const machines = () => fleet.counts.stored.get('Entities/Machines')?.batches;
    expect(machines()).toBe(agents);
    time.step = 5 * minute;
    await pass(8);
    expect(machines()).toBe(2 * agents);
    await stop();
    await expectAllStored();
  });
});

test('what is not stored when the fleet is abandoned is lost', async () => {
  fate = () => 'busy';
  await pass(1.5);
  const abandoned = new AbortController();
  const stopped = fleet.stop(abandoned.signal);
  abandoned.abort();
  await stopped;
  expect(fleet.owedBatches).toBeGreaterThan(agents * 12);
  expect(fleetReport(fleet, 90)).toMatchObject({
    exitCode: 1,
    data: { lost: fleet.owedBatches, batches: 0 },
  });
});

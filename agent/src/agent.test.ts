import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Agent } from './agent.ts';
import { Journal } from './journal/journal.ts';
import type { Observation, Source } from './source.ts';
import { TestHost } from './testing/test-host.ts';

let directory: string;
let journal: Journal;
let host: TestHost;
let messages: string[];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-agent-'));
  journal = await Journal.open({ directory, maxBytes: 1_000_000 });
  [host, messages] = [new TestHost(), []];
});
afterEach(async () => {
  host.remove();
  await journal.close();
  rmSync(directory, { recursive: true });
});

const none: Observation = { records: {}, gaps: [] };

function source(name: string, interval: number, observe: Source['observe']): Source {
  return { name, interval, observe };
}

function agentWith(...sources: Source[]): Agent {
  return new Agent({
    ...{ host, sources, journal, sender: { wake: () => {} } },
    wait: async (milliseconds) => {
      host.time += milliseconds;
    },
    log: (message) => messages.push(message),
  });
}

async function reported(): Promise<unknown[]> {
  const records: unknown[] = [];
  for (let entry = await journal.next(); entry; entry = await journal.next()) {
    for (const { body } of entry.batches) records.push(...body.split('\n').map((line) => JSON.parse(line)));
    await journal.acknowledge(entry.number);
  }
  return records;
}

test('sources are observed at their intervals until the agent stops', async () => {
  const times: string[] = [];
  const note = (name: string) => async () => {
    times.push(`${name} ${new Date(host.time).toISOString().slice(14, 19)}`);
    if (times.length === 6) host.stop();
    return none;
  };
  await agentWith(source('a', 10_000, note('a')), source('b', 25_000, note('b'))).run();
  expect(times).toEqual(['a 00:00', 'b 00:00', 'a 00:10', 'a 00:20', 'b 00:25', 'a 00:30']);
});

test('an observation in progress is given up when the agent stops, and what was stored is kept', async () => {
  const users = source('users', 10_000, async () => ({
    ...{ records: { 'Entities/Users': [{ uid: 1 }] }, gaps: [], cursor: 1 },
  }));
  let end: (observation: Observation) => void = () => {};
  const slow = source('slow', 10_000, () => {
    host.stop();
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  await agentWith(users, slow).run();
  end({ records: { 'Entities/Users': [{ uid: 2 }] }, gaps: [], cursor: 2 });
  await setImmediate();
  expect([journal.cursor('users'), journal.cursor('slow')]).toEqual([1, undefined]);
  expect(await reported()).toMatchObject([{ uid: 1 }]);
});

test('a clock that is set back delays a source by its interval at most', async () => {
  let count = 0;
  const agent = agentWith(source('a', 10_000, async () => ({ ...none, cursor: ++count })));
  await agent.observeDue();
  host.time -= 3_600_000;
  await agent.observeDue();
  expect(count).toBe(2);
  await agent.observeDue();
  expect(count).toBe(2);
});

test('records are stored with the number of the machine, and a cursor for the next observation', async () => {
  const cursors: unknown[] = [];
  const users = source('users', 10_000, async (_, cursor) => {
    cursors.push(cursor);
    return { records: { 'Entities/Users': [{ uid: 1 }] }, gaps: [], cursor: cursors.length };
  });
  const agent = agentWith(users);
  await agent.observeDue();
  host.time += 10_000;
  await agent.observeDue();
  expect(cursors).toEqual([undefined, 1]);
  expect(await reported()).toEqual([{ uid: 1, mid: 7, createdTime: '2026-01-01T10:00:00.000Z' }]);
});

test('a source that fails is a gap, and the others are reported', async () => {
  const failing = source('failing', 10_000, async () => {
    throw new Error('Broken.');
  });
  const users = source('users', 10_000, async () => ({
    ...none,
    records: { 'Entities/Users': [{ uid: 1 }] },
  }));
  const agent = agentWith(failing, users);
  await agent.observeDue();
  expect(await reported()).toHaveLength(1);
  expect(agent.gaps.get('failing')).toEqual([
    { what: 'failing', reason: 'They could not be reported: Broken.' },
  ]);
});

test('what is missing is logged once, and again after it was there', async () => {
  const gap = { what: 'command lines of other users', reason: 'Run the agent as root.' };
  const all = [[gap], [gap], [], [gap]];
  const agent = agentWith(source('a', 10_000, async () => ({ ...none, gaps: all.shift() ?? [] })));
  for (let round = 0; round < 4; round++) {
    await agent.observeDue();
    host.time += 10_000;
  }
  expect(messages).toEqual(Array(2).fill('Missing: command lines of other users. Run the agent as root.'));
});

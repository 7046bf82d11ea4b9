import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { SampleRequest } from './worker-pool.sample.worker.ts';
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

const pools: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function poolOf(options: Partial<WorkerPoolOptions> = {}): WorkerPool<SampleRequest, number> {
  const pool = new WorkerPool<SampleRequest, number>({
    module: new URL('./worker-pool.sample.worker.js', import.meta.url),
    ...{ noun: 'search', seconds: 60, graceSeconds: 0 },
    ...options,
  });
  pools.push(pool);
  return pool;
}

/** A request that blocks its thread until it is released. */
function blockingTask() {
  const until = new Int32Array(new SharedArrayBuffer(4));
  return {
    request: { until },
    started: () => expect.poll(() => Atomics.load(until, 0)).toBe(1),
    release: () => {
      Atomics.store(until, 0, 2);
      Atomics.notify(until, 0);
    },
  };
}

describe('tasks', () => {
  test('run off the event loop, which stays responsive while a thread is blocked', async () => {
    const pool = poolOf();
    const work = blockingTask();
    const result = pool.run('a', work.request);
    await work.started();
    let iterations = 0;
    for (; iterations < 100; iterations++) await new Promise((resume) => setImmediate(resume));
    expect([pool.running, iterations]).toEqual([1, 100]);
    work.release();
    expect(await result).toBeGreaterThan(0);
  });

  test('of an account wait while it runs one, and another account gets the last thread', async () => {
    const pool = poolOf();
    const [first, second, third] = [blockingTask(), blockingTask(), blockingTask()];
    const busy = [pool.run('busy', first.request), pool.run('busy', second.request)];
    await first.started();
    expect([pool.running, pool.waiting]).toEqual([1, 1]);
    const other = pool.run('idle', third.request);
    await third.started();
    expect([pool.running, pool.waiting, pool.threads]).toEqual([2, 1, 2]);
    third.release();
    await other;
    first.release();
    await busy[0];
    await second.started();
    second.release();
    await busy[1];
  });

  test("are rejected when the account's queue is full", async () => {
    const pool = poolOf();
    const work = blockingTask();
    const running = pool.run('a', work.request);
    const waiting = Array.from({ length: 16 }, () => pool.run('a', 'thread'));
    await expect(pool.run('a', 'thread')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await work.started();
    work.release();
    await Promise.all([running, ...waiting]);
    expect(pool.threads).toBe(1);
  });

  test('that are rejected or fail keep their thread', async () => {
    const pool = poolOf();
    const thread = await pool.run('a', 'thread');
    await expect(pool.run('a', 'refuse')).rejects.toMatchObject({
      ...{ code: 'INVALID_FILTER', message: 'No.', retryAfter: 9 },
      cause: { message: 'Inside.' },
    });
    await expect(pool.run('a', 'fail')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      message: 'It failed.',
    });
    expect(await pool.run('a', 'thread')).toBe(thread);
  });
});

describe('a thread', () => {
  test('starts with the first task and ends when it is idle', async () => {
    const pool = poolOf({ idleSeconds: 0.01 });
    expect(pool.threads).toBe(0);
    await pool.run('a', 'thread');
    await expect.poll(() => pool.threads).toBe(0);
    expect(await pool.run('a', 'thread')).toBeGreaterThan(0);
  });

  test('that exceeds the timeout is replaced, and its task rejected', async () => {
    const pool = poolOf({ threads: 1, seconds: 0.5 });
    await expect(pool.run('a', 'forever')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The search took longer than 0.5 seconds: narrow the time range or the filters.',
    });
    await expect.poll(() => pool.running).toBe(0);
    expect([pool.threads, pool.fault]).toEqual([0, undefined]);
  });

  test('with an abandoned task is replaced, and its slot goes to the next task', async () => {
    const terminated: string[] = [];
    const pool = poolOf({ threads: 1, terminated: async (name) => void terminated.push(name) });
    const [client, work] = [new AbortController(), blockingTask()];
    const abandoned = pool.run('a', work.request, client.signal);
    await work.started();
    const next = pool.run('b', 'thread');
    client.abort(new Error('disconnected'));
    await expect(abandoned).rejects.toThrow('disconnected');
    expect(await next).toBeGreaterThan(0);
    expect(terminated).toHaveLength(1);
  });

  test('is kept when an abandoned task ends soon', async () => {
    const pool = poolOf({ threads: 1, graceSeconds: 60 });
    const thread = await pool.run('a', 'thread');
    const [client, work] = [new AbortController(), blockingTask()];
    const abandoned = pool.run('a', work.request, client.signal);
    await work.started();
    client.abort(new Error('disconnected'));
    await expect(abandoned).rejects.toThrow('disconnected');
    work.release();
    expect(await pool.run('a', 'thread')).toBe(thread);
  });

  test.each(['exit', 'throw'] as const)('that exits on its own (%s) is replaced', async (request) => {
    const pool = poolOf({ threads: 1 });
    await expect(pool.run('a', request)).rejects.toThrow(request === 'exit' ? 'interrupted' : 'Uncaught.');
    expect(await pool.run('a', 'thread')).toBeGreaterThan(0);
    expect(pool.fault).toBeUndefined();
  });

  test('that runs out of memory fails alone', async () => {
    const pool = poolOf({ threads: 1 });
    await expect(pool.run('a', 'memory')).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    expect(await pool.run('a', 'thread')).toBeGreaterThan(0);
  });
});

test('a pool with failing threads reports a fault until one works or 30 seconds have passed', async () => {
  let now = 0;
  const pool = poolOf({ threads: 1, data: { mode: 'broken' }, now: () => now });
  expect(pool.fault).toBeUndefined();
  await expect(pool.run('a', 'thread')).rejects.toThrow('never starts');
  await expect.poll(() => pool.running).toBe(0);
  now = 29_999;
  expect(pool.fault).toBe('The search threads fail.');
  now = 30_000;
  expect(pool.fault).toBeUndefined();
  await expect(pool.run('a', 'thread')).rejects.toThrow('never starts');
  expect(pool.fault).toBe('The search threads fail.');
});

test('a pool with stuck threads reports a fault until they end', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-pool-'));
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const pool = poolOf({ threads: 1, seconds: 0.5, stuckSeconds: 0 });
  await expect(pool.run('a', { pipe })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect.poll(() => pool.fault).toBe('Every search thread overran its time and can not be stopped.');
  expect(pool.running).toBe(1);
  writeFileSync(pipe, '');
  await expect.poll(() => [pool.fault, pool.running, pool.threads]).toEqual([undefined, 0, 0]);
  rmSync(directory, { recursive: true });
});

test('closing a pool terminates running tasks', async () => {
  const pool = poolOf();
  const work = blockingTask();
  const running = pool.run('a', work.request);
  await work.started();
  await Promise.all([expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE' }), pool.close()]);
  await expect(pool.run('a', 'thread')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(pool.threads).toBe(0);
});

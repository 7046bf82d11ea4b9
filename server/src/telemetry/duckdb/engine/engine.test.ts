import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Engine } from './engine.ts';

let directory: string;
let engine: Engine;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-engine-'));
  engine = await Engine.open(directory, { memory: '256MB', threads: 2 });
});
afterEach(async () => {
  await engine.settled();
  engine.close();
  rmSync(directory, { recursive: true, force: true });
});

const left = new Error('left');
/** Takes longer than a test may. */
const long = (connection: DuckDBConnection) =>
  connection.runAndReadAll('select count(*) from range(10000000000) as t(i) where i % 7 = ?', [3]);
const sum = (connection: DuckDBConnection) => connection.runAndReadAll('select 1 + ? as sum', [2]);
const works = async () => expect((await engine.use(sum)).getRowObjects()).toEqual([{ sum: 3 }]);

describe('what runs in the engine', () => {
  test('ends with the reason of its signal, wherever it is at that moment', async () => {
    for (const milliseconds of [0, 1, 10, 100]) {
      const gone = new AbortController();
      const running = engine.use(long, gone.signal);
      if (milliseconds === 0) gone.abort(left);
      else setTimeout(() => gone.abort(left), milliseconds);
      await expect(running).rejects.toBe(left);
      await works();
    }
  });

  test('ends also when it waits for a thread behind others that are abandoned', async () => {
    const gone = new AbortController();
    const running = Array.from({ length: 8 }, () => engine.use(long, gone.signal));
    setTimeout(() => gone.abort(left), 20);
    const reasons = (await Promise.allSettled(running)).map((end) => end.status === 'rejected' && end.reason);
    expect(reasons).toEqual(running.map(() => left));
    await works();
  });

  test('does not begin when its signal aborted before', async () => {
    let began = false;
    const work = async () => {
      began = true;
    };
    await expect(engine.use(work, AbortSignal.abort(left))).rejects.toBe(left);
    expect(began).toBe(false);
  });

  test('is interrupted by its own signal only', async () => {
    const [gone, other] = [new AbortController(), new AbortController()];
    const running = engine.use(long, gone.signal);
    const beside = engine.use(
      (connection) => connection.runAndReadAll('select count(*) as n from range(100000000)'),
      other.signal,
    );
    gone.abort(left);
    await expect(running).rejects.toBe(left);
    expect((await beside).getRowObjects()).toEqual([{ n: 100_000_000n }]);
  });

  test('has ended when the engine is idle, so that it can be closed', async () => {
    const gone = new AbortController();
    let hasEnded = false;
    // Then there is a connection, and the work begins at once.
    await engine.use((connection) => connection.run('select 1'));
    const work = (connection: DuckDBConnection) =>
      long(connection).finally(() => {
        hasEnded = true;
      });
    const outcome = expect(engine.use(work, gone.signal)).rejects.toBe(left);
    gone.abort(left);
    await engine.settled();
    expect(hasEnded).toBe(true);
    await outcome;
  });
});

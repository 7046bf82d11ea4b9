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
/** Would exceed the test's time limit. */
const long = (connection: DuckDBConnection) =>
  connection.runAndReadAll('select count(*) from range(10000000000) as t(i) where i % 7 = ?', [3]);
const sum = (connection: DuckDBConnection) => connection.runAndReadAll('select 1 + ? as sum', [2]);
const works = async () => expect((await engine.use(sum)).getRowObjects()).toEqual([{ sum: 3 }]);

describe('a statement', () => {
  test('fails with the reason of its signal, whenever it aborts', async () => {
    for (const milliseconds of [0, 1, 10, 100]) {
      const aborting = new AbortController();
      const running = engine.use(long, aborting.signal);
      if (milliseconds === 0) aborting.abort(left);
      else setTimeout(() => aborting.abort(left), milliseconds);
      await expect(running).rejects.toBe(left);
      await works();
    }
  });

  test('fails with it also while waiting for a thread behind aborted statements', async () => {
    const aborting = new AbortController();
    const running = Array.from({ length: 8 }, () => engine.use(long, aborting.signal));
    setTimeout(() => aborting.abort(left), 20);
    const reasons = (await Promise.allSettled(running)).map((end) => end.status === 'rejected' && end.reason);
    expect(reasons).toEqual(running.map(() => left));
    await works();
  });

  test('does not start if its signal has aborted', async () => {
    let began = false;
    const work = async () => {
      began = true;
    };
    await expect(engine.use(work, AbortSignal.abort(left))).rejects.toBe(left);
    expect(began).toBe(false);
  });

  test('is interrupted by its own signal only', async () => {
    const [aborting, other] = [new AbortController(), new AbortController()];
    const running = engine.use(long, aborting.signal);
    const concurrent = engine.use(
      (connection) => connection.runAndReadAll('select count(*) as n from range(100000000)'),
      other.signal,
    );
    aborting.abort(left);
    await expect(running).rejects.toBe(left);
    expect((await concurrent).getRowObjects()).toEqual([{ n: 100_000_000n }]);
  });

  test('has ended when the engine has settled, so that it can be closed', async () => {
    const aborting = new AbortController();
    let hasEnded = false;
    // Leaves an idle connection, so that the work starts at once.
    await engine.use((connection) => connection.run('select 1'));
    const work = (connection: DuckDBConnection) =>
      long(connection).finally(() => {
        hasEnded = true;
      });
    const outcome = expect(engine.use(work, aborting.signal)).rejects.toBe(left);
    aborting.abort(left);
    await engine.settled();
    expect(hasEnded).toBe(true);
    await outcome;
  });
});

import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { ServerProcess } from '../testing/process.ts';
import { Reporter } from '../testing/reporter.ts';

const rounds = Number(process.env.VEDETTE_TORTURE_ROUNDS ?? 10);
const clients = 3;
const recordsOfBatch = 20;

let installation: TestPlace;
let server: ServerProcess | undefined;
let reporter: Reporter;
beforeAll(async () => {
  installation = await createTestPlace();
  reporter = new Reporter(installation.directory, recordsOfBatch);
});
afterAll(async () => {
  await server?.kill();
  await installation.remove();
});

/** Acknowledged batches, and those without a response, which are sent again. */
const acknowledged = new Set<string>();
const unknown = new Set<string>();

test(
  `a server killed ${rounds} times during ingest has every acknowledged batch complete and exactly once`,
  async () => {
    for (let round = 0; round < rounds; round++) {
      const url = await launch();
      await ingestUntilKilled(url, round);
    }
    const url = await launch();
    for (const batch of [...unknown]) expect(await reporter.send(url, batch)).toMatchObject({ status: 200 });
    const stored = await reporter.stored(url);
    for (const batch of [...acknowledged, ...unknown]) {
      expect([batch, stored.get(batch)]).toEqual([batch, recordsOfBatch]);
    }
    expect(stored.size).toBe(new Set([...acknowledged, ...unknown]).size);
    expect(acknowledged.size).toBeGreaterThan(rounds);
  },
  120_000 + rounds * 10_000,
);

async function launch(): Promise<string> {
  server = new ServerProcess(installation, { environment: { VEDETTE_RATE_LIMIT: 'off' } });
  return server.url();
}

/** Clients send batches, first the unacknowledged ones, until the server is killed. */
async function ingestUntilKilled(url: string, round: number): Promise<void> {
  const enough = 1 + randomInt(20);
  let count = 0;
  let killing: Promise<unknown> | undefined;
  const pending = [...unknown];
  const client = async (number: number) => {
    for (let index = 0; ; index++) {
      const batch = pending.shift() ?? `${round}-${number}-${index}`;
      unknown.add(batch);
      const answer = await reporter.send(url, batch).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(200);
      unknown.delete(batch);
      acknowledged.add(batch);
      if (++count === enough) killing = setTimeout(randomInt(30)).then(() => server?.kill('SIGKILL'));
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  await killing;
}

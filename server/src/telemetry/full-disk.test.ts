import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { canFailFsync, FailingFsync } from '../testing/failing-fsync.ts';
import { canLimitFiles, limitFiles } from '../testing/file-size-limit.ts';
import { ServerProcess } from '../testing/process.ts';
import { Reporter } from '../testing/reporter.ts';

const recordsOfBatch = 200;

let installation: TestPlace;
let server: ServerProcess | undefined;
let reporter: Reporter;
beforeEach(async () => {
  installation = await createTestPlace();
  reporter = new Reporter(installation.directory, recordsOfBatch);
});
afterEach(async () => {
  await server?.kill();
  await installation.remove();
});

async function launch(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  server = new ServerProcess(installation, { environment: { VEDETTE_RATE_LIMIT: 'off', ...environment } });
  return server.url();
}
/** The control store must not reach the limit before telemetry does. */
const largestFile = () => {
  const names = readdirSync(installation.directory, { recursive: true, encoding: 'utf8' });
  return Math.max(...names.map((name) => statSync(join(installation.directory, name)).size));
};
const batches = (...names: string[]) => new Map(names.map((name) => [name, recordsOfBatch]));

test.skipIf(!canLimitFiles)(
  'a server with a full disk refuses batches, still searches, and accepts batches without a restart when there is space',
  async () => {
    const url = await launch();
    const acknowledged = ['first'];
    expect(await reporter.send(url, 'first')).toMatchObject({ status: 200 });
    limitFiles(largestFile() + 200_000, server?.pid);
    let refused: Awaited<ReturnType<Reporter['send']>> | undefined;
    for (let round = 0; round < 1_000 && !refused; round++) {
      const answer = await reporter.send(url, `batch ${round}`);
      if (answer.status === 200) acknowledged.push(`batch ${round}`);
      else refused = answer;
    }
    expect(refused).toEqual({
      status: 503,
      retryAfter: '5',
      message: expect.stringContaining('the disk is full: File too large'),
    });
    expect(acknowledged.length).toBeGreaterThan(3);
    expect(await reporter.stored(url)).toEqual(batches(...acknowledged));
    expect(await reporter.send(url, 'second')).toMatchObject({ status: 503 });
    limitFiles('unlimited', server?.pid);
    expect(await reporter.send(url, 'second')).toMatchObject({ status: 200 });
    expect(await reporter.stored(url)).toEqual(batches(...acknowledged, 'second'));
    await server?.kill();
    expect(await reporter.stored(await launch())).toEqual(batches(...acknowledged, 'second'));
  },
  240_000,
);

test.skipIf(!canFailFsync)(
  'a server with a failing disk recovers without a restart, with all acknowledged batches',
  async () => {
    const disk = new FailingFsync(installation.directory);
    const url = await launch(disk.environment);
    expect(await reporter.send(url, 'before')).toMatchObject({ status: 200 });
    disk.fail();
    expect(await reporter.send(url, 'during')).toEqual({
      status: 503,
      retryAfter: '5',
      message: expect.stringContaining('the disk failed: see the log'),
    });
    await expect.poll(() => server?.output).toContain('fsync failed');
    expect((await reporter.stored(url)).get('before')).toBe(recordsOfBatch);
    disk.work();
    expect(await reporter.send(url, 'during')).toMatchObject({ status: 200 });
    expect(await reporter.send(url, 'after')).toMatchObject({ status: 200 });
    expect(await reporter.stored(url)).toEqual(batches('before', 'during', 'after'));
    await server?.kill();
    expect(await reporter.stored(await launch())).toEqual(batches('before', 'during', 'after'));
  },
  240_000,
);

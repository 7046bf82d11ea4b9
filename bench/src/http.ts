import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';
import { Comparison } from './comparison.ts';
import { reportComparison, reportMemory, reportStarts } from './report.ts';
import { Sample } from './sample.ts';
import { freePort, ServerProcess } from './server-process.ts';

const limit = 0.6;
const paths = ['/api/v2/OrganizationInfo', '/api/v2/UserProfile'] as const;
const pairs = 16;
const slice = 1000;
const warmUp = 3000;
const starts = 7;
const timeLimit = 150_000;

const scripts = {
  server: fileURLToPath(new URL('../../server/dist/start.js', import.meta.url)),
  baseline: fileURLToPath(new URL('./baselines/fastify.js', import.meta.url)),
};
const directory = mkdtempSync(join(tmpdir(), 'vedette-bench-'));
const dataDirectory = join(directory, 'data');
const running = new Set<ChildProcess>();

// At the exit, so that nothing is left behind however the bench ends.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
});
const interrupted = new Promise<never>((_, reject) => {
  setTimeout(
    () => reject(new Error(`The bench takes longer than ${timeLimit / 1000} s.`)),
    timeLimit,
  ).unref();
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => reject(new Error(`Stopped by ${signal}.`)));
});

let ratio: number | null = null;
try {
  ratio = await Promise.race([measure(), interrupted]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
// The ratio that is printed decides, so that the line never contradicts itself.
const pass = ratio !== null && ratio >= limit;
process.stdout.write(`${JSON.stringify({ bench: 'http', ratio, limit, pass })}\n`, () =>
  process.exit(pass ? 0 : 1),
);

async function measure(): Promise<number> {
  await measureStarts();
  const server = await startServer();
  const client = await Client.signIn(server.port, dataDirectory);
  const answers = await Promise.all(paths.map((path) => client.get(path)));
  await sleep(slice);
  reportMemory(server.residentMemory(), 'after the start');

  const port = await freePort();
  const baseline = await ServerProcess.start(
    {
      script: scripts.baseline,
      arguments: [`${port}`, JSON.stringify(answers)],
      port,
      probe: paths[0],
      output: join(directory, 'baseline.log'),
    },
    running,
  );
  const comparisons = new Map<string, Comparison>();
  for (const { path, body } of answers) {
    const exchange = { request: client.requestFor(path), body: Buffer.from(body) };
    const comparison = await Comparison.open(server, baseline, exchange);
    await comparison.warmUp(warmUp);
    comparisons.set(path, comparison);
  }
  for (let pair = 0; pair < pairs; pair++) {
    for (const comparison of comparisons.values()) await comparison.measurePair(pair % 2 === 0, slice);
  }
  for (const [path, comparison] of comparisons) reportComparison(path, comparison);
  for (const comparison of comparisons.values()) comparison.close();
  await sleep(slice);
  reportMemory(server.residentMemory(), 'after the load');
  await Promise.all([server.stop(), baseline.stop()]);
  return Math.min(...[...comparisons.values()].map(({ ratio }) => Math.floor(ratio.median * 100) / 100));
}

async function startServer(): Promise<ServerProcess> {
  const port = await freePort();
  const environment = {
    VEDETTE_PORT: `${port}`,
    VEDETTE_DATA_DIR: dataDirectory,
    VEDETTE_RATE_LIMIT: '1000000000',
    VEDETTE_LOG_LEVEL: 'info',
  };
  const output = join(directory, 'server.log');
  return ServerProcess.start(
    { script: scripts.server, environment, port, probe: '/healthz', output },
    running,
  );
}

/** The first start makes the data directory and warms the file cache for the others. */
async function measureStarts(): Promise<void> {
  const first = await startServer();
  await first.stop();
  const later = new Sample();
  for (let start = 0; start < starts; start++) {
    const server = await startServer();
    later.add(server.startTime);
    await server.stop();
  }
  reportStarts(first.startTime, later);
}

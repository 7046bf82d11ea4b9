import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runBench, type Workspace } from './bench.ts';
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

const baselineScript = fileURLToPath(new URL('./baselines/fastify.js', import.meta.url));

await runBench({ bench: 'http', limit, timeLimit, passes: (ratio) => ratio >= limit }, measure);

async function measure(workspace: Workspace): Promise<number> {
  await measureStarts(workspace);
  const server = await workspace.startServer();
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const responses = await Promise.all(paths.map((path) => client.get(path)));
  await sleep(slice);
  reportMemory(server.residentMemory(), 'after the start');

  const port = await freePort();
  const baseline = await ServerProcess.start(
    {
      script: baselineScript,
      arguments: [`${port}`, JSON.stringify(responses)],
      port,
      probe: paths[0],
      output: join(workspace.directory, 'baseline.log'),
    },
    workspace.running,
  );
  const comparisons = new Map<string, Comparison>();
  for (const { path, body } of responses) {
    const exchange = { request: client.requestFor({ method: 'GET', path }), body: Buffer.from(body) };
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

/** The first start creates the data directory and warms the file cache for the others. */
async function measureStarts(workspace: Workspace): Promise<void> {
  const first = await workspace.startServer();
  await first.stop();
  const later = new Sample();
  for (let start = 0; start < starts; start++) {
    const server = await workspace.startServer();
    later.add(server.startTime);
    await server.stop();
  }
  reportStarts(first.startTime, later);
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeOptions } from '@vedette/server/local-agent';
import { runBench, type Workspace } from './bench.ts';
import { Client } from './client.ts';
import { range, report } from './report.ts';
import { Sample } from './sample.ts';

/** There is no baseline: the ratio is the largest of measured to allowed. */
const limit = 1;
const allowed = { firstRows: 5, snapshot: 3, coreShare: 0.02, megabytes: 80 };
const wanted = { processes: 300, packages: 800 };
const snapshots = 15;
/** Seconds for which the agent is watched. */
const seconds = Number(process.argv[2] ?? 600);
const program = fileURLToPath(import.meta.resolve('@vedette/agent/main'));
/** Of this host, as its user would look for it. */
const datasets = [
  ...['Machines', 'Processes', 'Packages', 'Users', 'NetworkInterfaces'].map((name) => `Entities/${name}`),
  'AgentInfo',
];

await runBench(
  { bench: 'agent', limit, timeLimit: (seconds + 600) * 1_000, passes: (ratio) => ratio <= limit },
  measure,
);

async function measure(workspace: Workspace): Promise<number> {
  for (let have = processCount(); have < wanted.processes; have++)
    workspace.running.add(spawn('sleep', [`${seconds + 900}`], { stdio: 'ignore' }));
  const snapshot = await snapshotTimes(workspace.directory);
  report(
    'snapshot',
    `${snapshot.median.toFixed(2)} s ${range(snapshot, 2)} with the start of the program, median of ${snapshot.size}; at most ${allowed.snapshot} s`,
  );
  const server = await workspace.startServer({ VEDETTE_LOCAL_AGENT: 'on' });
  await greetingIn(join(workspace.directory, 'server.log'));
  const began = performance.now();
  const firstRows = await untilReported(await Client.signIn(server.port, workspace.dataDirectory), began);
  const agent = childOf(server.pid);
  await sleep(Math.max(0, seconds * 1_000 - (performance.now() - began)));
  const share = processorSeconds(agent) / ((performance.now() - began) / 1_000);
  const peak = peakMegabytes(agent);
  report(
    'processor',
    `${(share * 100).toFixed(2)} % of a core over ${seconds} s from its start on; at most ${allowed.coreShare * 100} %`,
  );
  report('memory', `${peak.toFixed(0)} MB resident at most; at most ${allowed.megabytes} MB`);
  await server.stop();
  const ratios = [
    ...[firstRows / allowed.firstRows, snapshot.median / allowed.snapshot],
    ...[share / allowed.coreShare, peak / allowed.megabytes],
  ];
  return Math.ceil(Math.max(...ratios) * 100) / 100;
}

/** Seconds that one observation of everything takes. */
async function snapshotTimes(directory: string): Promise<Sample> {
  const times = new Sample();
  for (let round = 0; round < snapshots; round++) {
    const start = performance.now();
    const options = [...nodeOptions, program, '--dry-run', '--state-directory', directory];
    const child: ChildProcess = spawn(process.execPath, options, { stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The agent ended with ${code}.`);
    times.add((performance.now() - start) / 1_000);
  }
  return times;
}

/** Seconds until every search returns rows, and as many as the host has; they are not counted while they grow. */
async function untilReported(client: Client, began: number): Promise<number> {
  const packages = Number(
    execFileSync('sh', ['-c', 'dpkg-query -f . -W 2>/dev/null | wc -c'], { encoding: 'utf8' }),
  );
  const least: Readonly<Record<string, number>> = {
    'Entities/Processes': processCount() * 0.9,
    'Entities/Packages': Math.max(packages, wanted.packages),
  };
  let last = 0;
  for (const dataset of datasets) {
    for (;;) {
      const rows = await client.search(`/api/v2/${dataset}/search`, {});
      last = (performance.now() - began) / 1_000;
      if (rows > 0 && rows >= (least[dataset] ?? 1)) {
        report(
          dataset,
          `${rows} rows ${last.toFixed(2)} s after the greeting; at most ${allowed.firstRows} s`,
        );
        break;
      }
      await sleep(20);
    }
  }
  return last;
}

async function greetingIn(file: string): Promise<void> {
  while (!/ is ready at /.test(readFileSync(file, 'utf8'))) await sleep(2);
}

function processCount(): number {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length;
}

function childOf(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean);
  if (children.length !== 1)
    throw new Error(`The server has ${children.length} child processes, not the agent alone.`);
  return Number(children[0]);
}

/** With the programs it has run. */
function processorSeconds(pid: number): number {
  // The name of the program, in parentheses, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}

function peakMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1024) / 1e6;
}

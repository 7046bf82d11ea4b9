import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { datasets } from '@vedette/server/telemetry/datasets';
import { runBench, type Workspace } from './bench.ts';
import { Client } from './client.ts';
import { ProcessUsage } from './process-usage.ts';
import { report } from './report.ts';
import { Sample } from './sample.ts';
import type { ServerProcess } from './server-process.ts';

const agents = Number(process.env.VEDETTE_BENCH_AGENTS ?? 2_000);
const minutes = Number(process.env.VEDETTE_BENCH_MINUTES ?? 10);
const searchInterval = 500;
const hour = 3_600_000;
const command = fileURLToPath(new URL('../../cli/bin/vedette.js', import.meta.url));

/** What `vedette simulate --agents --json` prints. */
interface FleetResult {
  readonly connected: number;
  readonly batches: number;
  readonly records: number;
  readonly sent: number;
  readonly retried: number;
  readonly repeated: number;
  readonly unanswered: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly rejected: number;
  readonly seconds: number;
  readonly datasets: Readonly<Record<string, { readonly batches: number; readonly records: number }>>;
}

// The ratio is a number of defects: lost batches, records missing or stored twice, agents that are not active.
await runBench(
  { bench: 'fleet', limit: 0, timeLimit: (minutes + 10) * 60_000, passes: (ratio) => ratio === 0 },
  measure,
);

/** A fleet of agents reports live while a client searches: every batch is stored exactly once. */
async function measure(workspace: Workspace): Promise<number> {
  // The agents of a real fleet have an address each.
  const server = await workspace.startServer({
    VEDETTE_MAX_CONNECTIONS: `${agents + 1_000}`,
    VEDETTE_MAX_CONNECTIONS_PER_ADDRESS: process.env.VEDETTE_BENCH_PER_ADDRESS ?? `${agents + 100}`,
  });
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const start = Math.floor(Date.now() / hour) * hour;
  const fleet = startFleet(workspace, server);
  const usage = { server: new ProcessUsage(server.pid), fleet: new ProcessUsage(fleet.child.pid ?? 0) };
  const [result] = await Promise.all([fleet.result, observe(client, usage, fleet.child)]);
  report(
    'batches',
    `${result.batches} stored in ${result.seconds.toFixed(0)} s from ${result.connected} agents`,
  );
  report('records', `${result.records}, ${(result.records / result.seconds).toFixed(0)} per second`);
  const refused = Object.entries(result.refused).map(([status, count]) => `${count} with ${status}`);
  report(
    'requests',
    `${result.sent}, refused ${refused.join(', ') || 0}, ${result.unanswered} without an answer, ${result.retried} sent again, ${result.repeated} stored before`,
  );
  const defects = result.lost + result.rejected + (await differences(client, result, start));
  await server.stop();
  return defects;
}

function startFleet({ dataDirectory, running }: Workspace, { port }: ServerProcess) {
  const words = ['simulate', '--agents', `${agents}`, '--minutes', `${minutes}`, '--json'];
  const child = spawn(process.execPath, [command, ...words, '--url', `http://127.0.0.1:${port}`], {
    env: { ...process.env, VEDETTE_DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const read = async (): Promise<FleetResult> => {
    const [output] = await Promise.all([child.stdout.toArray(), once(child, 'exit')]);
    running.delete(child);
    return JSON.parse(Buffer.concat(output).toString()) as FleetResult;
  };
  return { child, result: read() };
}

interface Usages {
  readonly server: ProcessUsage;
  readonly fleet: ProcessUsage;
}

/** Searches and samples the memory until the fleet has ended. */
async function observe(client: Client, usage: Usages, fleet: ChildProcess): Promise<void> {
  const searches: Record<string, { path: string; filters?: unknown; times: Sample }> = {
    'search of hosts': { path: 'Entities/Machines', times: new Sample() },
    'search of processes': {
      path: 'Entities/Processes',
      filters: [{ field: 'username', expression: 'eq', value: 'shop' }],
      times: new Sample(),
    },
    'search of agents': { path: 'AgentInfo', times: new Sample() },
  };
  const memory: number[] = [];
  let cores = { server: 0, fleet: 0 };
  let failed = 0;
  while (fleet.exitCode === null && fleet.signalCode === null) {
    for (const { path, filters, times } of Object.values(searches)) {
      const began = performance.now();
      const timeFilter = rangeOf(Date.now() - hour, Date.now() + hour);
      const body = { timeFilter, ...(filters !== undefined && { filters }) };
      await client.search(`/api/v2/${path}/search`, body).catch(() => failed++);
      times.add(performance.now() - began);
      await sleep(searchInterval);
    }
    if (fleet.exitCode !== null) break;
    memory.push(usage.server.sample());
    usage.fleet.sample();
    cores = { server: usage.server.cores(), fleet: usage.fleet.cores() };
  }
  for (const [name, { times }] of Object.entries(searches)) report(name, latencies(times));
  report('failed searches', `${failed}`);
  const early = memory[Math.floor(memory.length / 2)] ?? 0;
  report(
    'server',
    `${cores.server.toFixed(2)} cores, ${early.toFixed(0)} MB after half of the time, ${memory.at(-1)?.toFixed(0)} MB at the end, at most ${usage.server.peak.toFixed(0)} MB`,
  );
  report('simulator', `${cores.fleet.toFixed(2)} cores, at most ${usage.fleet.peak.toFixed(0)} MB`);
}
function latencies(times: Sample): string {
  const at = (share: number) => times.quantile(share).toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms of ${times.size}`;
}

function rangeOf(start: number, end: number) {
  return { startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString() };
}

/** Compares what the server has with what it acknowledged, in total and by dataset. */
async function differences(
  client: Client,
  { records, datasets: sent }: FleetResult,
  start: number,
): Promise<number> {
  const { body } = await client.get('/metrics');
  const stored = Number(/records_total\{fate="stored"\} (\d+)/.exec(body)?.[1]);
  report('stored', `${stored} records by the counter of the server, ${records} acknowledged`);
  let sum = Math.abs(stored - records);
  const timeFilter = rangeOf(start, Date.now() + hour);
  for (const { path, search } of datasets) {
    const expected = sent[path]?.records;
    if (expected === undefined || !search?.isPaged || search.newestPer) continue;
    const found = await client.count(`/api/v2/${path}/search`, { timeFilter });
    // A search counts no further.
    if (found === Math.min(expected, 500_000)) continue;
    report(path, `${found} records found, ${expected} acknowledged`);
    sum += Math.abs(found - expected);
  }
  const active = await client.count('/api/v2/AgentInfo/search', {
    timeFilter,
    filters: [{ field: 'status', expression: 'eq', value: 'ACTIVE' }],
  });
  report('active agents', `${active} of ${agents}`);
  return sum + agents - active;
}

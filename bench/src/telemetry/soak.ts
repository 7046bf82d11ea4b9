import { setTimeout as sleep } from 'node:timers/promises';
import { runBench, type Workspace } from '../bench.ts';
import { Client } from '../client.ts';
import { HttpConnection } from '../http-connection.ts';
import { report } from '../report.ts';
import { Sample } from '../sample.ts';
import type { ServerProcess } from '../server-process.ts';
import { Agent } from './agent.ts';
import { firstDays, ndjsonBatches } from './data.ts';
import { path } from './searches.ts';
import { storedRows } from './stored-rows.ts';

const limit = 1.15;
const minutes = Number(process.env.VEDETTE_SOAK_MINUTES ?? 10);
const perBatch = 5_000;
const agents = 3;
const searchers = 2;

await runBench(
  { bench: 'telemetry-soak', limit, timeLimit: (minutes + 5) * 60_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** Agents send at full speed while clients search: no record is lost and memory does not grow. */
async function measure(workspace: Workspace): Promise<number> {
  const server = await workspace.startServer();
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const bodies = ndjsonBatches(perBatch, 40);
  const end = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() > end;
  let sent = 0;
  const send = async (index: number) => {
    const agent = await Agent.signIn(client, server.port, `bench ${index}`);
    for (let batch = index; !isOver(); batch++) {
      await agent.send(bodies[batch % bodies.length] as string);
      sent += perBatch;
    }
    agent.close();
  };
  const searches = new Sample();
  let longestResponse = 0;
  const search = async () => {
    const connection = await HttpConnection.open(server.port);
    const request = client.requestFor({
      method: 'POST',
      path: `${path}/search`,
      body: { timeFilter: firstDays(7) },
    });
    while (!isOver()) {
      const start = performance.now();
      const response = await connection.request(request);
      longestResponse = Math.max(longestResponse, response.length);
      searches.add(performance.now() - start);
      await sleep(250);
    }
    connection.close();
  };
  const [memory] = await Promise.all([
    watch(server, isOver),
    ...Array.from({ length: agents }, (_, index) => send(index)),
    ...Array.from({ length: searchers }, search),
  ]);
  report(
    'ingest',
    `${(sent / minutes / 60 / 1_000).toFixed(1)} thousand records/s for ${minutes} minutes, ${sent} in all`,
  );
  report(
    'searches',
    `${searches.size}, median ${searches.median.toFixed(0)} ms, 90 % ${searches.quantile(0.9).toFixed(0)} ms`,
  );
  if (longestResponse < 1_000_000) throw new Error('The searches returned no full page.');
  await requireNothingLost(client, sent);
  await server.stop();
  const rows = await storedRows(workspace);
  report('files', `${rows} records`);
  if (rows !== sent) throw new Error(`${rows} records are stored, ${sent} were sent.`);
  return memory;
}

/** Ratio of the resident memory in the last fifth of the run to that in the second fifth. */
async function watch(server: ServerProcess, isOver: () => boolean): Promise<number> {
  const samples: number[] = [];
  while (!isOver()) {
    await sleep(2_000);
    samples.push(server.residentMemory());
    process.stderr.write(`\r${samples.at(-1)?.toFixed(0)} MB  `);
  }
  const median = (from: number) => {
    const part = new Sample();
    for (const value of samples.slice(
      Math.floor(samples.length * from),
      Math.floor(samples.length * (from + 0.2)),
    ))
      part.add(value);
    return part.median;
  };
  const [early, late] = [median(0.2), median(0.8)];
  report(
    'memory',
    `${early.toFixed(0)} MB in the second fifth of the time, ${late.toFixed(0)} MB in the last`,
  );
  return Math.ceil((late / early) * 100) / 100;
}

async function requireNothingLost(client: Client, sent: number): Promise<void> {
  const { body } = await client.get('/metrics');
  const count = (fate: string) =>
    Number(new RegExp(`records_total\\{fate="${fate}"\\} (\\d+)`).exec(body)?.[1]);
  report('counters', `${count('stored')} stored, ${count('refused')} refused, ${count('lost')} lost`);
  if (count('lost') !== 0 || count('stored') !== sent) throw new Error('Records were lost.');
}

import { type InsertForm, insertForms, RawInsert } from '../baselines/duckdb-insert.ts';
import { runBench, type Workspace } from '../bench.ts';
import { Client } from '../client.ts';
import { timeOf, timePairs } from '../pairs.ts';
import { reportPairs } from '../report.ts';
import { Sample } from '../sample.ts';
import { Agent } from './agent.ts';
import { ndjsonBatches } from './data.ts';
import { storedRows } from './stored-rows.ts';

const limit = 0.5;
const pairs = 45;
const trials = 3;
const perBatch = 5_000;
/** Batches in one half of a pair. */
const batches = 16;
const agents = 4;
const limits = { memory: '512MB', threads: 2 };

await runBench(
  { bench: 'telemetry-ingest', limit, timeLimit: 1_800_000, passes: (ratio) => ratio >= limit },
  measure,
);

/** Durable records per second, sent by a few agents over HTTP, against durable inserts by the engine alone. */
async function measure(workspace: Workspace): Promise<number> {
  const server = await workspace.startServer();
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const senders = await Promise.all(
    Array.from({ length: agents }, (_, index) => Agent.signIn(client, server.port, `bench ${index}`)),
  );
  const bodies = ndjsonBatches(perBatch, batches);
  const send = async () => {
    let next = 0;
    const work = async (agent: Agent) => {
      while (next < bodies.length) await agent.send(bodies[next++] as string);
    };
    await Promise.all(senders.map(work));
  };
  const raw = await RawInsert.open(workspace.directory, limits);
  const insert = async (form: InsertForm) => {
    for (const body of bodies) await raw.insert(form, body);
  };
  await send();
  const form = await fastest(insert);
  const timed = await timePairs(pairs, send, () => insert(form));
  reportPairs(
    `${batches} batches of ${perBatch} connections`,
    `through HTTP, ${rate(timed.ours)}`,
    `by the engine alone (${form}), ${rate(timed.raw)}`,
    timed,
  );
  for (const agent of senders) agent.close();
  await server.stop();
  await requireSameRows(workspace, raw);
  raw.close();
  return Math.floor(100 / timed.ratio.median) / 100;
}

async function fastest(insert: (form: InsertForm) => Promise<void>): Promise<InsertForm> {
  const medians = new Map<InsertForm, number>();
  for (const form of insertForms) {
    const times = new Sample();
    for (let trial = 0; trial < trials; trial++) times.add(await timeOf(() => insert(form)));
    medians.set(form, times.median);
  }
  return insertForms.toSorted(
    (one, other) => (medians.get(one) ?? 0) - (medians.get(other) ?? 0),
  )[0] as InsertForm;
}

async function requireSameRows(workspace: Workspace, raw: RawInsert): Promise<void> {
  const perSide = perBatch * batches;
  const expected = { ours: perSide * (pairs + 1), raw: perSide * (pairs + trials * insertForms.length) };
  if ((await raw.count()) !== expected.raw) throw new Error('The engine did not store all records.');
  if ((await storedRows(workspace)) !== expected.ours)
    throw new Error('The server did not store all records.');
}

function rate(times: Sample): string {
  return `${((perBatch * batches) / times.median).toFixed(0)} thousand records/s`;
}

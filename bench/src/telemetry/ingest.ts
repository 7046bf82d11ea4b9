import { type InsertForm, insertForms, RawInsert } from '../baselines/duckdb-insert.ts';
import { type Place, runBench } from '../bench.ts';
import { Client } from '../client.ts';
import { timeOf, timePairs } from '../pairs.ts';
import { reportPairs } from '../report.ts';
import { Sample } from '../sample.ts';
import { Agent } from './agent.ts';
import { batchTexts } from './data.ts';
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

/** Records a second that are durable, sent by a few agents over HTTP, against the engine's own durable insert. */
async function measure(place: Place): Promise<number> {
  const server = await place.startServer();
  const client = await Client.signIn(server.port, place.dataDirectory);
  const senders = await Promise.all(
    Array.from({ length: agents }, (_, index) => Agent.signIn(client, server.port, `bench ${index}`)),
  );
  const texts = batchTexts(perBatch, batches);
  const send = async () => {
    let next = 0;
    const work = async (agent: Agent) => {
      while (next < texts.length) await agent.send(texts[next++] as string);
    };
    await Promise.all(senders.map(work));
  };
  const raw = await RawInsert.open(place.directory, limits);
  const insert = async (form: InsertForm) => {
    for (const text of texts) await raw.insert(form, text);
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
  await sameRows(place, raw);
  raw.close();
  return Math.floor(100 / timed.ratio.median) / 100;
}

async function fastest(insert: (form: InsertForm) => Promise<void>): Promise<InsertForm> {
  const medians = new Map<InsertForm, number>();
  for (const form of insertForms) {
    const times = new Sample();
    for (let channelTest = 0; channelTest < trials; channelTest++)
      times.add(await timeOf(() => insert(form)));
    medians.set(form, times.median);
  }
  return insertForms.toSorted(
    (one, other) => (medians.get(one) ?? 0) - (medians.get(other) ?? 0),
  )[0] as InsertForm;
}

async function sameRows(place: Place, raw: RawInsert): Promise<void> {
  const perSide = perBatch * batches;
  const expected = { ours: perSide * (pairs + 1), raw: perSide * (pairs + trials * insertForms.length) };
  if ((await raw.count()) !== expected.raw) throw new Error('The engine has not stored what it was given.');
  if ((await storedRows(place)) !== expected.ours)
    throw new Error('The server has not stored what it was sent.');
}

function rate(times: Sample): string {
  return `${((perBatch * batches) / times.median).toFixed(0)} thousand records/s`;
}

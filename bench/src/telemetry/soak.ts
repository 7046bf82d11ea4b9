import { setTimeout as sleep } from 'node:timers/promises';
import { type Place, runBench } from '../bench.ts';
import { Client } from '../client.ts';
import { Line } from '../line.ts';
import { report } from '../report.ts';
import { Sample } from '../sample.ts';
import type { ServerProcess } from '../server-process.ts';
import { Agent } from './agent.ts';
import { batchTexts, firstDays } from './data.ts';
import { path } from './questions.ts';
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

/** Agents send as fast as they are answered while others search: nothing is lost and memory stays where it was. */
async function measure(place: Place): Promise<number> {
  const server = await place.startServer();
  const client = await Client.signIn(server.port, place.dataDirectory);
  const texts = batchTexts(perBatch, 40);
  const end = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() > end;
  let sent = 0;
  const send = async (index: number) => {
    const agent = await Agent.signIn(client, server.port, `bench ${index}`);
    for (let turn = index; !isOver(); turn++) {
      await agent.send(texts[turn % texts.length] as string);
      sent += perBatch;
    }
    agent.close();
  };
  const searches = new Sample();
  let found = 0;
  const search = async () => {
    const line = await Line.open(server.port);
    const request = client.requestFor({
      method: 'POST',
      path: `${path}/search`,
      body: { timeFilter: firstDays(7) },
    });
    while (!isOver()) {
      const start = performance.now();
      const answer = await line.ask(request);
      found = Math.max(found, answer.length);
      searches.add(performance.now() - start);
      await sleep(250);
    }
    line.close();
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
  if (found < 1_000_000) throw new Error('The searches found no page.');
  await nothingLost(client, sent);
  await server.stop();
  const rows = await storedRows(place);
  report('files', `${rows} records`);
  if (rows !== sent) throw new Error(`The files hold ${rows} records, and ${sent} were sent.`);
  return memory;
}

/** How the resident memory of the last fifth of the time compares with that of the second fifth. */
async function watch(server: ServerProcess, isOver: () => boolean): Promise<number> {
  const seen: number[] = [];
  while (!isOver()) {
    await sleep(2_000);
    seen.push(server.residentMemory());
    process.stderr.write(`\r${seen.at(-1)?.toFixed(0)} MB  `);
  }
  const median = (from: number) => {
    const part = new Sample();
    for (const value of seen.slice(Math.floor(seen.length * from), Math.floor(seen.length * (from + 0.2))))
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

async function nothingLost(client: Client, sent: number): Promise<void> {
  const { body } = await client.get('/metrics');
  const count = (fate: string) =>
    Number(new RegExp(`records_total\\{fate="${fate}"\\} (\\d+)`).exec(body)?.[1]);
  report('counters', `${count('stored')} stored, ${count('refused')} refused, ${count('lost')} lost`);
  if (count('lost') !== 0 || count('stored') !== sent) throw new Error('Records were lost.');
}

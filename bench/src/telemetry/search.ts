import { free } from '@vedette/server/platform/streamed-buffer';
import { type RawAnswer, type RawForm, RawTelemetry, rawForms } from '../baselines/duckdb.ts';
import { type Place, runBench } from '../bench.ts';
import { Client } from '../client.ts';
import { Line } from '../line.ts';
import { timeOf, timePairs } from '../pairs.ts';
import { reportReading } from '../report.ts';
import { Sample } from '../sample.ts';
import { lived, someMachine } from './data.ts';
import { type Asked, questions } from './questions.ts';

const limit = 1.3;
const pairs = 299;
const trials = 15;
/** Pairs before the measured ones: a server that has just started is slower for its first hundreds of requests. */
const warmUp = 150;
const millions = 5.1;
/** What the server has when nobody sets anything. */
const limits = { memory: '512MB', threads: 2 };

await runBench(
  { bench: 'telemetry-search', limit, timeLimit: 1_800_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** The first page and the total over HTTP, against the fastest statement that gives the same text in this process. */
async function measure(place: Place): Promise<number> {
  const file = await lived(place, millions);
  const server = await place.startServer();
  const client = await Client.signIn(server.port, place.dataDirectory);
  const line = await Line.open(server.port);
  const raw = await RawTelemetry.open(limits);
  await raw.attach(file);
  const medians: number[] = [];
  for (const asked of questions(someMachine(millions))) {
    const ask = () => line.ask(client.requestFor(asked.question));
    const form = await fastest(raw, asked);
    const rows = sameAnswer(await ask(), await raw.ask(form, asked.raw));
    const read = () => readAndFree(raw, form, asked);
    await timePairs(warmUp, ask, read);
    const timed = await timePairs(pairs, ask, read);
    reportReading(`${asked.name} (raw: ${form})`, rows, timed);
    medians.push(Math.ceil(timed.ratio.median * 100) / 100);
  }
  raw.close();
  line.close();
  await server.stop();
  return Math.max(...medians);
}

/** The form in which the engine gives the answer soonest; they take turns, as the machine is now fast and now slow. */
async function fastest(raw: RawTelemetry, asked: Asked): Promise<RawForm> {
  const times = rawForms.map((form) => ({ form, taken: new Sample() }));
  for (let channelTest = 0; channelTest < trials; channelTest++)
    for (const { form, taken } of times) taken.add(await timeOf(() => readAndFree(raw, form, asked)));
  const [soonest] = times.sort((one, other) => one.taken.median - other.taken.median);
  return (soonest as (typeof times)[number]).form;
}

/** Neither side leaves the texts of its pages to the collector. */
async function readAndFree(raw: RawTelemetry, form: RawForm, { raw: question }: Asked): Promise<void> {
  const { text } = await raw.ask(form, question);
  free(text.buffer);
}

function sameAnswer(answer: Buffer, { text, total }: RawAnswer): number {
  const { paging } = JSON.parse(answer.toString()) as { paging: { rows: number; totalRows: number } };
  if (!answer.subarray(0, -2).subarray(-text.length).equals(text))
    throw new Error('The server shows other records than the engine.');
  if (paging.totalRows !== total)
    throw new Error(`The server counts ${paging.totalRows}, the engine ${total}.`);
  return paging.rows;
}

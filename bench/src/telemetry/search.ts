import { free } from '@vedette/server/platform/streamed-buffer';
import { type RawForm, type RawResult, RawTelemetry, rawForms } from '../baselines/duckdb.ts';
import { runBench, type Workspace } from '../bench.ts';
import { Client } from '../client.ts';
import { HttpConnection } from '../http-connection.ts';
import { timeOf, timePairs } from '../pairs.ts';
import { reportReading } from '../report.ts';
import { Sample } from '../sample.ts';
import { prepareTelemetry, sampleHost } from './data.ts';
import { type BenchSearch, searches } from './searches.ts';

const limit = 1.3;
const pairs = 299;
const trials = 15;
/** Pairs before the measured ones: a fresh server is slower for its first hundreds of requests. */
const warmUp = 150;
const millions = 5.1;
/** The defaults of the server. */
const limits = { memory: '512MB', threads: 2 };

await runBench(
  { bench: 'telemetry-search', limit, timeLimit: 1_800_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** The first page and the total over HTTP, against the fastest statement with the same result in this process. */
async function measure(workspace: Workspace): Promise<number> {
  const file = await prepareTelemetry(workspace, millions);
  const server = await workspace.startServer();
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const connection = await HttpConnection.open(server.port);
  const raw = await RawTelemetry.open(limits);
  await raw.attach(file);
  const medians: number[] = [];
  for (const search of searches(sampleHost(millions))) {
    const send = () => connection.request(client.requestFor(search.request));
    const form = await fastest(raw, search);
    const rows = requireSameResponse(await send(), await raw.search(form, search.raw));
    const read = () => readAndFree(raw, form, search);
    await timePairs(warmUp, send, read);
    const timed = await timePairs(pairs, send, read);
    reportReading(`${search.name} (raw: ${form})`, rows, timed);
    medians.push(Math.ceil(timed.ratio.median * 100) / 100);
  }
  raw.close();
  connection.close();
  await server.stop();
  return Math.max(...medians);
}

/** The fastest statement form; forms are interleaved, because the speed of the host varies. */
async function fastest(raw: RawTelemetry, search: BenchSearch): Promise<RawForm> {
  const times = rawForms.map((form) => ({ form, taken: new Sample() }));
  for (let trial = 0; trial < trials; trial++)
    for (const { form, taken } of times) taken.add(await timeOf(() => readAndFree(raw, form, search)));
  const [first] = times.sort((one, other) => one.taken.median - other.taken.median);
  return (first as (typeof times)[number]).form;
}

/** Both sides release the memory of their pages explicitly. */
async function readAndFree(raw: RawTelemetry, form: RawForm, { raw: rawSearch }: BenchSearch): Promise<void> {
  const { json } = await raw.search(form, rawSearch);
  free(json.buffer);
}

function requireSameResponse(response: Buffer, { json, total }: RawResult): number {
  const { paging } = JSON.parse(response.toString()) as { paging: { rows: number; totalRows: number } };
  if (!response.subarray(0, -2).subarray(-json.length).equals(json))
    throw new Error('The server returned other records than the engine.');
  if (paging.totalRows !== total)
    throw new Error(`The server counted ${paging.totalRows} records, the engine ${total}.`);
  return paging.rows;
}

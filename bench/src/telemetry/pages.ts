import { type Place, runBench } from '../bench.ts';
import { Client } from '../client.ts';
import { Line } from '../line.ts';
import { timePairs } from '../pairs.ts';
import { report, reportPairs } from '../report.ts';
import type { ServerProcess } from '../server-process.ts';
import { lastDays, lived } from './data.ts';
import { path } from './questions.ts';

const limit = 1.2;
const pairs = 40;
const millions = 5.1;
const pages = 100;
const walks = 3;
const warmUp = 3;
/** Megabytes and milliseconds. */
const most = { growth: 100, delay: 30 };

interface Paging {
  readonly rows: number;
  readonly totalRows: number;
  readonly urls: { readonly nextPage: string | null };
}

await runBench(
  { bench: 'telemetry-pages', limit, timeLimit: 1_800_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** The hundredth page of a search against its second, and what walking through all of them does to the server. */
async function measure(place: Place): Promise<number> {
  await lived(place, millions);
  const server = await place.startServer();
  const client = await Client.signIn(server.port, place.dataDirectory);
  const line = await Line.open(server.port);
  await warm(server, client, line);
  const addresses = await watchWalks(server, client, line);
  const page = (number: number) => {
    const address = addresses[number - 2] as string;
    return () => line.ask(client.requestFor({ method: 'GET', path: new URL(address).pathname }));
  };
  const timed = await timePairs(pairs, page(pages), page(2));
  reportPairs('pages through HTTP', `page ${pages}`, 'page 2', timed);
  await reportCompression(client, new URL(addresses[0] as string).pathname);
  line.close();
  await server.stop();
  return Math.ceil(timed.ratio.median * 100) / 100;
}

/** Shown, and decides nothing: a client that asks for compression pays with time for what the network saves. */
async function reportCompression(client: Client, page: string): Promise<void> {
  const compressed = () => client.download(page, 'gzip');
  const plain = () => client.download(page, 'identity');
  const [few, many] = [await compressed(), await plain()];
  const timed = await timePairs(pairs, compressed, plain);
  reportPairs('pages with compression', 'page 2, gzip', 'page 2, as it is', timed);
  report('  size', `${(few / 1_000).toFixed(0)} kB instead of ${(many / 1_000).toFixed(0)} kB`);
}

/** A search that reads every document, so that the engine keeps as much in its memory as it may: that is no growth. */
async function warm(server: ServerProcess, client: Client, line: Line): Promise<void> {
  const before = server.residentMemory();
  const filters = [{ field: 'srcEntityId.nothing', expression: 'eq', value: 'x' }];
  const body = { timeFilter: lastDays(7), filters };
  for (let turn = 0; turn < warmUp; turn++)
    await line.ask(client.requestFor({ method: 'POST', path: `${path}/search`, body }));
  const after = server.residentMemory();
  report(
    'memory',
    `${before.toFixed(0)} MB at the start, ${after.toFixed(0)} MB when the engine has its share`,
  );
}

/** Goes through all pages; returns the addresses from the second page on. */
async function walk(client: Client, line: Line, arrived: () => void): Promise<string[]> {
  const addresses: string[] = [];
  let rows = 0;
  const body = { timeFilter: lastDays(7) };
  let answer = await line.ask(client.requestFor({ method: 'POST', path: `${path}/search`, body }));
  for (;;) {
    arrived();
    const paging = pagingOf(answer);
    rows += paging.rows;
    const { nextPage } = paging.urls;
    if (nextPage === null) {
      if (rows !== paging.totalRows || addresses.length !== pages - 1)
        throw new Error(`${rows} of ${paging.totalRows} rows in ${addresses.length + 1} pages.`);
      return addresses;
    }
    addresses.push(nextPage);
    answer = await line.ask(client.requestFor({ method: 'GET', path: new URL(nextPage).pathname }));
  }
}

/** Paging stands before the records, which need not be read to know it. */
function pagingOf(answer: Buffer): Paging {
  const head = answer.subarray(0, 6_000).toString('latin1');
  const text = /^\{"paging":(\{.*?\}\})/.exec(head)?.[1];
  if (!text) throw new Error(`No paging in ${head.slice(0, 200)}`);
  return JSON.parse(text);
}

/** Looks at the memory of the server with every page. */
async function watchWalks(server: ServerProcess, client: Client, line: Line): Promise<string[]> {
  await client.get('/metrics');
  const before = server.residentMemory();
  let highest = before;
  const look = () => {
    highest = Math.max(highest, server.residentMemory());
  };
  let addresses: string[] = [];
  for (let turn = 0; turn < walks; turn++) addresses = await walk(client, line, look);
  const { body } = await client.get('/metrics');
  const delay = Number(/^vedette_nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(body)?.[1]) * 1_000;
  const growth = highest - before;
  report('memory', `${growth.toFixed(0)} MB more at most in ${walks} walks`);
  report('event loop', `${delay.toFixed(1)} ms at the 99th percentile meanwhile`);
  if (!(growth <= most.growth)) throw new Error(`Memory grew by more than ${most.growth} MB.`);
  if (!(delay <= most.delay)) throw new Error(`The event loop was held up for more than ${most.delay} ms.`);
  return addresses;
}

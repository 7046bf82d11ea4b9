import { runBench, type Workspace } from '../bench.ts';
import { Client } from '../client.ts';
import { HttpConnection } from '../http-connection.ts';
import { timePairs } from '../pairs.ts';
import { report, reportPairs } from '../report.ts';
import type { ServerProcess } from '../server-process.ts';
import { lastDays, prepareTelemetry } from './data.ts';
import { path } from './searches.ts';

const limit = 1.2;
const pairs = 40;
const millions = 5.1;
const pages = 100;
const walks = 3;
const warmUp = 3;
/** Megabytes and milliseconds. */
const max = { growth: 100, delay: 30 };

interface Paging {
  readonly rows: number;
  readonly totalRows: number;
  readonly urls: { readonly nextPage: string | null };
}

await runBench(
  { bench: 'telemetry-pages', limit, timeLimit: 1_800_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** The hundredth page of a search against its second, and the memory and event loop delay of the server while all are read. */
async function measure(workspace: Workspace): Promise<number> {
  await prepareTelemetry(workspace, millions);
  const server = await workspace.startServer();
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const connection = await HttpConnection.open(server.port);
  await warm(server, client, connection);
  const urls = await watchWalks(server, client, connection);
  const page = (number: number) => {
    const url = urls[number - 2] as string;
    return () => connection.request(client.requestFor({ method: 'GET', path: new URL(url).pathname }));
  };
  const timed = await timePairs(pairs, page(pages), page(2));
  reportPairs('pages through HTTP', `page ${pages}`, 'page 2', timed);
  await reportCompression(client, new URL(urls[0] as string).pathname);
  connection.close();
  await server.stop();
  return Math.ceil(timed.ratio.median * 100) / 100;
}

/** Only reported: compression trades processor time for network transfer. */
async function reportCompression(client: Client, page: string): Promise<void> {
  const compressed = () => client.download(page, 'gzip');
  const plain = () => client.download(page, 'identity');
  const [compressedSize, plainSize] = [await compressed(), await plain()];
  const timed = await timePairs(pairs, compressed, plain);
  reportPairs('pages with compression', 'page 2, gzip', 'page 2, uncompressed', timed);
  report(
    '  size',
    `${(compressedSize / 1_000).toFixed(0)} kB instead of ${(plainSize / 1_000).toFixed(0)} kB`,
  );
}

/** A search that reads every document fills the engine's buffer pool, so that it does not count as growth. */
async function warm(server: ServerProcess, client: Client, connection: HttpConnection): Promise<void> {
  const before = server.residentMemory();
  const filters = [{ field: 'srcEntityId.nothing', expression: 'eq', value: 'x' }];
  const body = { timeFilter: lastDays(7), filters };
  for (let round = 0; round < warmUp; round++)
    await connection.request(client.requestFor({ method: 'POST', path: `${path}/search`, body }));
  const after = server.residentMemory();
  report('memory', `${before.toFixed(0)} MB at the start, ${after.toFixed(0)} MB with a full buffer pool`);
}

/** Reads all pages; returns the URLs from the second page on. */
async function walk(client: Client, connection: HttpConnection, onPage: () => void): Promise<string[]> {
  const urls: string[] = [];
  let rows = 0;
  const body = { timeFilter: lastDays(7) };
  let response = await connection.request(
    client.requestFor({ method: 'POST', path: `${path}/search`, body }),
  );
  for (;;) {
    onPage();
    const paging = pagingOf(response);
    rows += paging.rows;
    const { nextPage } = paging.urls;
    if (nextPage === null) {
      if (rows !== paging.totalRows || urls.length !== pages - 1)
        throw new Error(`${rows} of ${paging.totalRows} rows in ${urls.length + 1} pages.`);
      return urls;
    }
    urls.push(nextPage);
    response = await connection.request(
      client.requestFor({ method: 'GET', path: new URL(nextPage).pathname }),
    );
  }
}

/** `paging` precedes the records, so only the beginning is parsed. */
function pagingOf(response: Buffer): Paging {
  const head = response.subarray(0, 6_000).toString('latin1');
  const json = /^\{"paging":(\{.*?\}\})/.exec(head)?.[1];
  if (!json) throw new Error(`No paging in ${head.slice(0, 200)}`);
  return JSON.parse(json);
}

/** Measures the memory of the server at every page. */
async function watchWalks(
  server: ServerProcess,
  client: Client,
  connection: HttpConnection,
): Promise<string[]> {
  await client.get('/metrics');
  const before = server.residentMemory();
  let highest = before;
  const measureMemory = () => {
    highest = Math.max(highest, server.residentMemory());
  };
  let urls: string[] = [];
  for (let round = 0; round < walks; round++) urls = await walk(client, connection, measureMemory);
  const { body } = await client.get('/metrics');
  const delay = Number(/^vedette_nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(body)?.[1]) * 1_000;
  const growth = highest - before;
  report('memory', `${growth.toFixed(0)} MB more at most in ${walks} walks`);
  report('event loop', `${delay.toFixed(1)} ms at the 99th percentile meanwhile`);
  if (!(growth <= max.growth)) throw new Error(`Memory grew by more than ${max.growth} MB.`);
  if (!(delay <= max.delay)) throw new Error(`The event loop was blocked for more than ${max.delay} ms.`);
  return urls;
}

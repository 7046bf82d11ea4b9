import { join } from 'node:path';
import { RawStore } from './baselines/sqlite.ts';
import { runBench, type Workspace } from './bench.ts';
import { Client } from './client.ts';
import { HttpConnection } from './http-connection.ts';
import { timeOf, timePairs } from './pairs.ts';
import { reportPairs, reportReading } from './report.ts';
import { seedAlerts } from './seed-alerts.ts';

const limit = 1.3;
/** Ratio of the twentieth page to the second. */
const pageLimit = 1.2;
const pairs = Number(process.env.VEDETTE_BENCH_PAIRS ?? 60);
const alerts = 100_000;
const pageSize = 5_000;
const lastPage = 20;

const day = 86_400_000;
const now = Date.now();
const range = { start: now - 7 * day + 60_000, end: now };
const timeFilter = {
  startTime: new Date(range.start).toISOString(),
  endTime: new Date(range.end).toISOString(),
};

const instant = (column: string) => `replace(datetime(${column} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T')`;
const optional = (member: string, column: string) =>
  `case when ${column} is null then '' else format(',"${member}":"%sZ"', ${instant(column)}) end`;
/** The fastest variant tried: one format call; json_object would parse the JSON of the columns again. */
const record = `format('{"alertId":%s,"alertName":%s,"alertType":%s,"severity":%s,"status":%s,"alertInfo":%s,' ||
  '"startTime":"%sZ","endTime":"%sZ"%s%s,"policyId":%s,"derivedFields":%s,"reachability":%s%s}',
  id, json_quote(alert_name), json_quote(alert_type), json_quote(severity), json_quote(status), alert_info,
  ${instant('start_at')}, ${instant('end_at')}, ${optional('firstEventTime', 'first_event_at')},
  ${optional('lastEventTime', 'last_event_at')}, json_quote(policy_id), derived_fields, json_quote(reachability),
  case when alert_spec is null then '' else format(',"alertSpec":%s', alert_spec) end)`;

const searches = [
  { name: 'all of seven days', filters: [], where: '', parameters: [] },
  {
    name: 'two filters',
    filters: [
      { field: 'status', expression: 'eq', value: 'Open' },
      { field: 'severity', expression: 'in', values: ['Critical', 'High'] },
    ],
    where: 'and status = ? and severity in (?, ?)',
    parameters: ['Open', 'Critical', 'High'],
  },
] as const;

await runBench({ bench: 'alerts', limit, timeLimit: 600_000, passes: (ratio) => ratio <= limit }, measure);

/** The first page with the total over HTTP, against the same records as JSON and the same total, read directly in this process. */
async function measure(workspace: Workspace): Promise<number> {
  const server = await workspace.startServer();
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const file = join(workspace.dataDirectory, 'control.db');
  seedAlerts(file, alerts, now, range.start);
  const connection = await HttpConnection.open(server.port);
  const raw = new RawStore(file);
  const medians: number[] = [];
  for (const { name, filters, where, parameters } of searches) {
    const from = `from alerts where owner_id = (select id from accounts) and start_at >= ? and start_at < ? ${where}`;
    const values = [range.start, range.end, ...parameters];
    const rows = raw.reader(
      `select ${record} ${from} order by start_at desc, id desc limit ${pageSize}`,
      ...values,
    );
    const total = raw.reader(`select count(*) ${from}`, ...values);
    const read = () => ({ rows: rows(), total: total()[0]?.[0] });
    const body = { timeFilter, filters };
    const request = client.requestFor({ method: 'POST', path: '/api/v2/Alerts/search', body });
    const search = () => connection.request(request);
    const records = requireSameResponse(read(), await search());
    await timeOf(search, 5);
    const timed = await timePairs(pairs, search, read);
    reportReading(`search of alerts: ${name}`, records, timed);
    medians.push(Math.ceil(timed.ratio.median * 100) / 100);
  }
  const paged = await comparePages(client, connection);
  raw.close();
  connection.close();
  await server.stop();
  if (!(paged <= pageLimit))
    throw new Error(`Page ${lastPage} takes more than ${pageLimit} times as long as page 2.`);
  return Math.max(...medians);
}

async function comparePages(client: Client, connection: HttpConnection): Promise<number> {
  const paths: string[] = [];
  const first = { method: 'POST', path: '/api/v2/Alerts/search', body: { timeFilter } } as const;
  let response = await connection.request(client.requestFor(first));
  for (;;) {
    const { urls } = pagingOf(response);
    if (urls.nextPage === null) break;
    paths.push(new URL(urls.nextPage).pathname);
    response = await connection.request(client.requestFor({ method: 'GET', path: paths.at(-1) as string }));
  }
  const page = (number: number) => {
    const request = client.requestFor({ method: 'GET', path: paths[number - 2] as string });
    return () => connection.request(request);
  };
  const timed = await timePairs(pairs, page(lastPage), page(2));
  reportPairs('pages through HTTP', `page ${lastPage}`, 'page 2', timed);
  return Math.ceil(timed.ratio.median * 100) / 100;
}

interface Paging {
  readonly totalRows: number;
  readonly urls: { readonly nextPage: string | null };
}

function pagingOf(response: Buffer): Paging {
  return (JSON.parse(response.toString()) as { paging: Paging }).paging;
}

function requireSameResponse(
  read: { rows: readonly (readonly unknown[])[]; total: unknown },
  response: Buffer,
): number {
  const { paging, data } = JSON.parse(response.toString()) as { paging: Paging; data: object[] };
  const sorted = (record: object) => JSON.stringify(Object.entries(record).sort());
  const stored = read.rows.map(([json]) => sorted(JSON.parse(json as string)));
  if (paging.totalRows === read.total && JSON.stringify(data.map(sorted)) === JSON.stringify(stored))
    return data.length;
  throw new Error(
    `The server returned ${data.length} of ${paging.totalRows} alerts, the store ${stored.length} of ${read.total}.`,
  );
}

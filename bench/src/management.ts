import { join } from 'node:path';
import { RawStore } from './baselines/sqlite.ts';
import { runBench, type Workspace } from './bench.ts';
import { type BenchRequest, Client } from './client.ts';
import { HttpConnection } from './http-connection.ts';
import { timeOf, timePairs } from './pairs.ts';
import { reportReading } from './report.ts';
import { seedChannels, seedPolicies } from './seed.ts';

const limit = 2;
const pairs = 60;
/** Requests or reads in one half of a pair. */
const repetitions = 5;

const channels = 1_000;
const policies = 10_000;

const channelColumns =
  'id, name, type, subtype, enabled, is_org, updated_at, updated_by, state, props, data, secrets, server_token';
const policyColumns =
  'id, policy_type, query_id, title, description, remediation, severity, enabled, alert_enabled, row_limit, ' +
  'eval_frequency, alert_profile, tags, exception_configuration, evaluator_id, created_by, updated_at, updated_by';

/** Each request to the server and a direct read of the same rows. */
const cases = [
  {
    name: `list of ${channels} integrations`,
    id: 'intgGuid',
    request: { method: 'GET', path: '/api/v2/AlertChannels' },
    sql: `select ${channelColumns} from integrations where owner_id = (select id from accounts)
      and family = 'AlertChannels' order by type, id`,
    parameters: [],
  },
  {
    name: `search with three filters over ${policies} policies`,
    id: 'policyId',
    request: {
      method: 'POST',
      path: '/api/v2/Policies/search',
      body: {
        filters: [
          { field: 'severity', expression: 'eq', value: 'high' },
          { field: 'enabled', expression: 'eq', value: 'true' },
          { field: 'policyId', expression: 'like', value: 'local-default-%' },
        ],
      },
    },
    sql: `select ${policyColumns} from policies where owner_id = (select id from accounts)
      and severity = ? and enabled = ? and id glob ? order by id`,
    parameters: ['high', 1, 'local-default-*'],
  },
] as const satisfies readonly { request: BenchRequest; [other: string]: unknown }[];

await runBench(
  { bench: 'management', limit, timeLimit: 300_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** From the request to the last byte of the response, against a direct read of the same rows in this process. */
async function measure(workspace: Workspace): Promise<number> {
  const server = await workspace.startServer();
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  await seedChannels(client, channels);
  await seedPolicies(client, policies);
  const connection = await HttpConnection.open(server.port);
  const raw = new RawStore(join(workspace.dataDirectory, 'control.db'));

  const medians: number[] = [];
  for (const { name, id, request, sql, parameters } of cases) {
    const read = raw.reader(sql, ...parameters);
    const message = client.requestFor(request);
    const send = () => connection.request(message);
    const rows = await requireSameRows(id, read(), await send());
    await timeOf(send, repetitions);
    const timed = await timePairs(pairs, send, read, repetitions);
    reportReading(name, rows, timed);
    medians.push(Math.ceil(timed.ratio.median * 100) / 100);
  }
  raw.close();
  connection.close();
  await server.stop();
  return Math.max(...medians);
}

async function requireSameRows(
  id: string,
  read: readonly (readonly unknown[])[],
  response: Buffer,
): Promise<number> {
  const { data } = JSON.parse(response.toString()) as { data: Record<string, unknown>[] };
  const [shown, stored] = [data.map((record) => record[id]), read.map(([first]) => first)];
  if (JSON.stringify(shown) === JSON.stringify(stored)) return stored.length;
  throw new Error(`The server returned other records (${shown.length}) than the store (${stored.length}).`);
}

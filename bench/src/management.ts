import { join } from 'node:path';
import { RawStore } from './baselines/sqlite.ts';
import { type Place, runBench } from './bench.ts';
import { Client, type Question } from './client.ts';
import { Line } from './line.ts';
import { timeOf, timePairs } from './pairs.ts';
import { reportReading } from './report.ts';
import { seedChannels, seedPolicies } from './seed.ts';

const limit = 2;
const pairs = 60;
/** Answers and reads in one half of a pair. */
const repetitions = 5;

const channels = 1_000;
const policies = 10_000;

const shownOfChannels =
  'id, name, type, subtype, enabled, is_org, updated_at, updated_by, state, props, data, secrets, server_token';
const shownOfPolicies =
  'id, policy_type, query_id, title, description, remediation, severity, enabled, alert_enabled, row_limit, ' +
  'eval_frequency, alert_profile, tags, exception_configuration, evaluator_id, created_by, updated_at, updated_by';

/** Each question to the server and the same rows read raw. */
const readings = [
  {
    name: `list of ${channels} integrations`,
    id: 'intgGuid',
    question: { method: 'GET', path: '/api/v2/AlertChannels' },
    sql: `select ${shownOfChannels} from integrations where owner_id = (select id from accounts)
      and family = 'AlertChannels' order by type, id`,
    parameters: [],
  },
  {
    name: `search with three filters over ${policies} policies`,
    id: 'policyId',
    question: {
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
    sql: `select ${shownOfPolicies} from policies where owner_id = (select id from accounts)
      and severity = ? and enabled = ? and id glob ? order by id`,
    parameters: ['high', 1, 'local-default-*'],
  },
] as const satisfies readonly { question: Question; [other: string]: unknown }[];

await runBench(
  { bench: 'management', limit, timeLimit: 300_000, passes: (ratio) => ratio <= limit },
  measure,
);

/** From the request to the last byte of the answer, against reading the same rows raw in this process. */
async function measure(place: Place): Promise<number> {
  const server = await place.startServer();
  const client = await Client.signIn(server.port, place.dataDirectory);
  await seedChannels(client, channels);
  await seedPolicies(client, policies);
  const line = await Line.open(server.port);
  const raw = new RawStore(join(place.dataDirectory, 'control.db'));

  const medians: number[] = [];
  for (const { name, id, question, sql, parameters } of readings) {
    const read = raw.reader(sql, ...parameters);
    const request = client.requestFor(question);
    const ask = () => line.ask(request);
    const rows = await sameRows(id, read(), await ask());
    await timeOf(ask, repetitions);
    const timed = await timePairs(pairs, ask, read, repetitions);
    reportReading(name, rows, timed);
    medians.push(Math.ceil(timed.ratio.median * 100) / 100);
  }
  raw.close();
  line.close();
  await server.stop();
  return Math.max(...medians);
}

async function sameRows(id: string, read: readonly (readonly unknown[])[], answer: Buffer): Promise<number> {
  const { data } = JSON.parse(answer.toString()) as { data: Record<string, unknown>[] };
  const [shown, stored] = [data.map((record) => record[id]), read.map(([first]) => first)];
  if (JSON.stringify(shown) === JSON.stringify(stored)) return stored.length;
  throw new Error(`${shown.length} records were answered, ${stored.length} read: not the same ones.`);
}

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { cloudTrailRawEvents } from '@vedette/server/telemetry/datasets/CloudTrailRawEvents';
import { AlertRounds } from '../alert-rounds.ts';
import { DayFiles } from '../baselines/day-files.ts';
import { runBench, type Workspace } from '../bench.ts';
import { Client } from '../client.ts';
import { report } from '../report.ts';
import { Sample } from '../sample.ts';
import type { ServerProcess } from '../server-process.ts';
import { Cloud } from './cloud.ts';
import { bucket, event, eventsPerObject, keyOf, objectCount, objectOf } from './trail.ts';

const duplicates = 0.2;
const rounds = 10;
const begin = Date.now();

await runBench(
  // Events that are missing or stored twice.
  { bench: 'audit', limit: 0, timeLimit: 1_200_000, passes: (wrong) => wrong <= 0 },
  measure,
);

/** CloudTrail through a queue, with repeated messages in no order and three kills; then the time from message to alert. */
async function measure(workspace: Workspace): Promise<number> {
  const cloud = await Cloud.start();
  const settings = {
    ...{ AWS_ENDPOINT_URL: cloud.url, AWS_ACCESS_KEY_ID: 'AKIABENCH', AWS_SECRET_ACCESS_KEY: 'secret' },
    ...{ AWS_REGION: 'eu-west-1', VEDETTE_ALLOW_PRIVATE_TARGETS: 'true' },
  };
  const indexes = new Map(Array.from({ length: objectCount }, (_, index) => [keyOf(index), index]));
  cloud.objectOf = (key) => (indexes.has(key) ? objectOf(indexes.get(key) as number, begin) : undefined);
  announceAll(cloud);
  const total = cloud.messages.size;

  let server = await workspace.startServer(settings);
  await integrate(await Client.signIn(server.port, workspace.dataDirectory));
  const start = performance.now();
  const kills = [
    { kind: 'delete', after: 0.2 },
    { kind: 'get', after: 0.45 },
    { kind: 'delete', after: 0.7 },
  ] as const;
  let peak = 0;
  for (const { kind, after } of kills) {
    await killWhen(cloud, server, workspace, (request) => request === kind && cloud.deleted >= total * after);
    report('killed', `when a ${kind} request arrived, ${cloud.deleted} of ${total} messages deleted`);
    server = await workspace.startServer(settings);
  }
  while (cloud.messages.size > 0) {
    peak = Math.max(peak, server.residentMemory());
    await sleep(100);
  }
  const seconds = (performance.now() - start) / 1_000;
  report(
    'collected',
    `${objectCount * eventsPerObject} events in ${seconds.toFixed(0)} s, with restarts and hidden messages`,
  );
  report('memory', `${peak.toFixed(0)} MB at most`);
  report('object reads', `${cloud.objectReads} for ${objectCount} objects and ${total} messages`);
  await reportLatency(workspace, cloud, server);
  await server.stop();
  cloud.close();
  return wrongEvents(workspace);
}

/** A fifth of the messages come twice; all come in random order. */
function announceAll(cloud: Cloud): void {
  const all = Array.from({ length: objectCount }, (_, index) => index);
  const again = all.slice(0, objectCount * duplicates);
  const messages = [...all, ...again].map((index, at) => ({
    index,
    id: `message-${at}`,
    order: Math.random(),
  }));
  for (const { index, id } of messages.sort((one, other) => one.order - other.order))
    cloud.send(id, notice(keyOf(index)));
}

function notice(key: string): object {
  return {
    Records: [
      {
        ...{
          eventVersion: '2.1',
          eventSource: 'aws:s3',
          awsRegion: 'eu-west-1',
          eventName: 'ObjectCreated:Put',
        },
        s3: {
          bucket: { name: bucket },
          object: { key: encodeURIComponent(key).replaceAll('%2F', '/'), eTag: '1' },
        },
      },
    ],
  };
}

async function integrate(client: Client): Promise<void> {
  const role = { roleArn: 'arn:aws:iam::111122223333:role/reader', externalId: 'x' };
  await client.create('/api/v2/CloudAccounts', {
    ...{ name: 'trail', type: 'AwsCtSqs', enabled: 1 },
    data: {
      crossAccountCredentials: role,
      queueUrl: 'https://sqs.eu-west-1.amazonaws.com/111122223333/trail',
    },
  });
}

/** Kills the server the moment a request arrives. */
async function killWhen(
  cloud: Cloud,
  server: ServerProcess,
  workspace: Workspace,
  matches: (request: 'delete' | 'get') => boolean,
): Promise<void> {
  const [child] = [...workspace.running].filter(({ pid }) => pid === server.pid);
  if (!child) throw new Error('The server has ended by itself.');
  const exited = once(child, 'exit');
  let isKilled = false;
  cloud.onRequest = (request) => {
    isKilled ||= matches(request) && child.kill('SIGKILL');
  };
  await exited;
  if (!isKilled)
    throw new Error(
      `The server ended by itself:\n${readFileSync(join(workspace.directory, 'server.log'), 'utf8')}`,
    );
  cloud.onRequest = () => {};
}

/** From the message to the webhook call of the alert. */
async function reportLatency(workspace: Workspace, cloud: Cloud, server: ServerProcess): Promise<void> {
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const alerts = await AlertRounds.start(client, rounds);
  const sample = new Sample();
  for (let round = 0; round < rounds; round++) {
    const delivered = alerts.delivered(round);
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const content = gzipSync(JSON.stringify({ Records: [event(`round-${round}`, now, `Round${round}`)] }));
    cloud.objectOf = () => content;
    const sentAt = performance.now();
    cloud.send(`round-${round}`, notice(`round-${round}.json.gz`));
    await delivered;
    sample.add(performance.now() - sentAt);
    await sleep(Math.random() * 500);
  }
  alerts.close();
  report(
    'message to alert',
    `${sample.median.toFixed(0)} ms to its webhook call, median of ${sample.size} (90 %: ${sample.quantile(0.9).toFixed(0)} ms)`,
  );
}

/** Events that a stopped server misses or has twice. */
async function wrongEvents(workspace: Workspace): Promise<number> {
  const days = join(workspace.dataDirectory, 'telemetry/days');
  const files = await DayFiles.open(days, { memory: '1GB', threads: 2 });
  const table = await files.table(cloudTrailRawEvents.path);
  const [row] = await files.rows(
    `select count(*) || ' ' || count(distinct "eventID") as "row" from ${table} where "eventID" like 'event-%'`,
  );
  files.close();
  const [stored = 0, distinct = 0] = Buffer.from(row ?? [])
    .toString()
    .split(' ')
    .map(Number);
  const expected = objectCount * eventsPerObject;
  report('stored', `${stored} events, ${distinct} different ones, of ${expected}`);
  return Math.abs(expected - distinct) + (stored - distinct);
}

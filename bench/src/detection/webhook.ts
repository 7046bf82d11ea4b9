import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../bench.ts';
import { Client } from '../client.ts';
import { report } from '../report.ts';
import { Sample } from '../sample.ts';
import { kinds } from './records.ts';

const rounds = 30;
const target = 1_000;
/** Random delay, so that records arrive at any time within the scheduler's interval. */
const maxPause = 700;

/** Latency from sending a record to the webhook call of its alert, through the real server. */
export async function reportWebhooks(workspace: Workspace): Promise<void> {
  let arrived = (_: string) => {};
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.end();
      arrived(body);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const server = await workspace.startServer({ VEDETTE_ALLOW_PRIVATE_TARGETS: 'true' });
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  await subscribe(client, `http://127.0.0.1:${port}/`);
  const send = await reporter(client, server.port);
  const sample = new Sample();
  for (let round = 0; round < rounds; round++) {
    // Each round has its own policy: a violation that joins an alert sends no new message.
    const delivered = new Promise<void>((resolve) => {
      arrived = (body) => (body.includes(`Round ${round}.`) ? resolve() : undefined);
    });
    await sleep(Math.random() * maxPause);
    const start = performance.now();
    await send(`Round${round}`);
    await delivered;
    sample.add(performance.now() - start);
  }
  report(
    'violation to webhook',
    `${sample.median.toFixed(0)} ms, median of ${sample.size} (90 %: ${sample.quantile(0.9).toFixed(0)} ms), ` +
      `target ${target} ms${sample.median > target ? ' MISSED' : ''}`,
  );
  await server.stop();
  receiver.close();
}

async function subscribe(client: Client, webhookUrl: string): Promise<void> {
  const { data: channel } = (await client.create('/api/v2/AlertChannels', {
    ...{ name: 'bench', type: 'Webhook', enabled: 1, data: { webhookUrl } },
  })) as { data: { intgGuid: string } };
  await client.create('/api/v2/AlertRules', {
    type: 'Event',
    filters: { name: 'all', enabled: 1, severity: [1, 2, 3, 4, 5] },
    intgGuidList: [channel.intgGuid],
  });
  for (let round = 0; round < rounds; round++) {
    const queryText = `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'Round${round}' } return { INSERT_ID, EVENT } }`;
    await client.create('/api/v2/Queries', { queryId: `Round${round}`, queryText });
    await client.create('/api/v2/Policies', {
      ...{ policyType: 'Violation', queryId: `Round${round}`, title: `Round ${round}.`, severity: 'high' },
      ...{ enabled: true, alertEnabled: true, description: 'For the bench.', remediation: 'None.' },
    });
  }
}

async function reporter(client: Client, port: number): Promise<(eventName: string) => Promise<void>> {
  const { data } = (await client.create('/api/v2/AgentAccessTokens', {
    ...{ tokenAlias: 'bench', tokenEnabled: 1 },
  })) as { data: { accessToken: string } };
  return async (eventName) => {
    const record = { ...kinds[0]?.record(0, Date.now()), eventName };
    const reply = await fetch(`http://127.0.0.1:${port}/ingest/v1/CloudTrailRawEvents`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${data.accessToken}`, 'Content-Type': 'application/x-ndjson' },
      body: JSON.stringify(record),
    });
    if (reply.status !== 200) throw new Error(`Ingest: ${reply.status} ${await reply.text()}`);
  };
}

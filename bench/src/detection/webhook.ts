import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from '../bench.ts';
import { Client } from '../client.ts';
import { report } from '../report.ts';
import { Sample } from '../sample.ts';
import { kinds } from './records.ts';

const turns = 30;
const aim = 1_000;
/** So that a turn meets any moment between two looks of the server. */
const pause = 700;

/** How long it takes from a record on its way in to the webhook that tells of its alert, through the real server. */
export async function reportWebhooks(place: Place): Promise<void> {
  let arrived = (_: string) => {};
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      response.end();
      arrived(text);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const server = await place.startServer({ VEDETTE_ALLOW_PRIVATE_TARGETS: 'true' });
  const client = await Client.signIn(server.port, place.dataDirectory);
  await subscribe(client, `http://127.0.0.1:${port}/`);
  const send = await reporter(client, server.port);
  const sample = new Sample();
  for (let turn = 0; turn < turns; turn++) {
    // Each has a policy of its own: what joins an alert is not told again.
    const told = new Promise<void>((resolve) => {
      arrived = (text) => (text.includes(`Turn ${turn}.`) ? resolve() : undefined);
    });
    await sleep(Math.random() * pause);
    const start = performance.now();
    await send(`Turn${turn}`);
    await told;
    sample.add(performance.now() - start);
  }
  report(
    'violation to webhook',
    `${sample.median.toFixed(0)} ms, median of ${sample.size} (90 %: ${sample.quantile(0.9).toFixed(0)} ms), ` +
      `aim ${aim} ms${sample.median > aim ? ' MISSED' : ''}`,
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
  for (let turn = 0; turn < turns; turn++) {
    const queryText = `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'Turn${turn}' } return { INSERT_ID, EVENT } }`;
    await client.create('/api/v2/Queries', { queryId: `Turn${turn}`, queryText });
    await client.create('/api/v2/Policies', {
      ...{ policyType: 'Violation', queryId: `Turn${turn}`, title: `Turn ${turn}.`, severity: 'high' },
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

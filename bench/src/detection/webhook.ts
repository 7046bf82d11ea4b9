import { setTimeout as sleep } from 'node:timers/promises';
import { AlertRounds } from '../alert-rounds.ts';
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
  const server = await workspace.startServer({ VEDETTE_ALLOW_PRIVATE_TARGETS: 'true' });
  const client = await Client.signIn(server.port, workspace.dataDirectory);
  const alerts = await AlertRounds.start(client, rounds);
  const send = await reporter(client, server.port);
  const sample = new Sample();
  for (let round = 0; round < rounds; round++) {
    const delivered = alerts.delivered(round);
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
  alerts.close();
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

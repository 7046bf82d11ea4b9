import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from './client.ts';

/**
 * Policies on the CloudTrail events Round0, Round1 and so on, whose alerts are sent to a webhook. Each round has its own
 * policy: a violation that joins an alert sends no new message.
 */
export class AlertRounds {
  readonly #receiver: Server;
  #arrived = (_: string) => {};

  private constructor() {
    this.#receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        response.end();
        this.#arrived(body);
      });
    });
  }

  /** The server must allow private targets. */
  static async start(client: Client, rounds: number): Promise<AlertRounds> {
    const all = new AlertRounds();
    all.#receiver.listen(0, '127.0.0.1');
    await once(all.#receiver, 'listening');
    const { port } = all.#receiver.address() as AddressInfo;
    await subscribe(client, `http://127.0.0.1:${port}/`);
    for (let round = 0; round < rounds; round++) await addPolicy(client, round);
    return all;
  }

  /** Resolves when the webhook gets the alert of a round. */
  delivered(round: number): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = (body) => (body.includes(`Round ${round}.`) ? resolve() : undefined);
    });
  }

  close(): void {
    this.#receiver.close();
  }
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
}

async function addPolicy(client: Client, round: number): Promise<void> {
  const queryText = `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'Round${round}' } return { INSERT_ID, EVENT } }`;
  await client.create('/api/v2/Queries', { queryId: `Round${round}`, queryText });
  await client.create('/api/v2/Policies', {
    ...{ policyType: 'Violation', queryId: `Round${round}`, title: `Round ${round}.`, severity: 'high' },
    ...{ enabled: true, alertEnabled: true, description: 'For the bench.', remediation: 'None.' },
  });
}

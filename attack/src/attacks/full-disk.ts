import { defineAttack, none } from '../attack.ts';
import { lookup } from '../records.ts';
import { canMount } from '../small-disk.ts';
import { isAcceptable } from '../status.ts';

const maxBatches = 2_000;
const maxChannels = 150;
const reads = ['/api/v2/Policies', '/api/v2/AlertChannels', '/api/v2/Alerts', '/api/v2/AuditLogs'] as const;

export default defineAttack({
  name: 'full-disk',
  description:
    'Fills a disk of 64 MB with records and then with large channels; users can still sign in and read.',
  bounds: { failures: none, failedSignIns: none, failedReads: none, acceptedWhenFull: none },
  timeLimit: 300,
  disk: 64,
  settings: { VEDETTE_RATE_LIMIT: 'off', VEDETTE_TELEMETRY_MEMORY: '256MB' },
  unavailableReason: () =>
    canMount() ? undefined : 'mounting a file system requires additional permissions',
  async measure(target) {
    const client = await target.greedy();
    const agent = await target.agentOf(client);
    const padding = 'x'.repeat(1_000);
    const statuses: number[] = [];
    const fill = async (max: number, send: (number: number) => Promise<number>) => {
      for (let number = 0; number < max; number++) {
        const status = await send(number);
        statuses.push(status);
        if (status >= 400) return;
      }
    };
    const sendBatch = (number: number) => {
      const body = Array.from({ length: 1_000 }, (_, at) => ({
        ...lookup(at),
        fqdn: `${number}-${at}-${Math.random()}-${padding}`,
      }));
      return agent.status('POST', '/ingest/v1/Activities/DNSs', { body });
    };
    await fill(maxBatches, sendBatch);
    const again: number[] = [];
    for (let number = 0; number < 20; number++) again.push(await sendBatch(number));
    // Decreasing sizes, until no space is left.
    for (const size of [900_000, 50_000, 2_000, 100]) {
      await fill(maxChannels, (number) =>
        client.status('POST', '/api/v2/AlertChannels', {
          body: {
            ...{ name: `channel ${size} ${number}`, type: 'Webhook', enabled: 1 },
            data: { webhookUrl: 'https://hooks.example.com/x', x: 'x'.repeat(size) },
          },
        }),
      );
    }
    let failedSignIns = 0;
    for (let number = 0; number < 10; number++) await target.greedy().catch(() => failedSignIns++);
    const readStatuses = await Promise.all(reads.map((path) => client.status('GET', path)));
    readStatuses.push(await client.status('POST', '/api/v2/Activities/DNSs/search', { body: {} }));
    statuses.push(...again, ...readStatuses);
    return {
      failures: statuses.filter((status) => !isAcceptable(status)).length,
      failedSignIns,
      failedReads: readStatuses.filter((status) => status !== 200).length,
      acceptedWhenFull: again.filter((status) => status === 200).length,
    };
  },
});

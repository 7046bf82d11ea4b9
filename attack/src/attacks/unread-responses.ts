import { setTimeout as sleep } from 'node:timers/promises';
import { defineAttack, megabytes } from '../attack.ts';
import { RawConnection } from '../raw-connection.ts';

const requests = 470;
const addresses = Array.from({ length: 8 }, (_, at) => `127.0.0.${at + 1}`);

export default defineAttack({
  name: 'unread-responses',
  description:
    'Pipelines 470 requests for large responses on each of eight connections and reads none of them.',
  bounds: { memoryGrowth: megabytes(150), memoryGrowthAfterwards: megabytes(100) },
  isQuick: true,
  async measure(target) {
    const client = await target.greedy();
    // Every response is built once before, so that shared bodies are not counted as growth.
    const paths = ['/api/v2/Datasources', '/api/v2/openapi.json', '/api/v2/Policies', '/api/v2/schemas'];
    for (const path of paths) await client.request('GET', path);
    const before = target.usage.memory();
    const memoryGrowth = target.usage.watchMemory();
    const connections: RawConnection[] = [];
    for (const [at, address] of addresses.entries()) {
      const connection = await RawConnection.open(target.port, address);
      if (!connection) continue;
      connection.stopReading();
      const path = paths[at % paths.length] as string;
      const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.token}\r\n\r\n`;
      connection.write(head.repeat(requests));
      connections.push(connection);
    }
    // Until the server is idle.
    await target.usage.waitUntilIdle(60);
    for (const connection of connections) connection.destroy();
    await sleep(5_000);
    return {
      memoryGrowth: memoryGrowth(),
      memoryGrowthAfterwards: target.usage.memory() - before,
    };
  },
});

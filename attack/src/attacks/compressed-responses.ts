import { defineAttack, megabytes, milliseconds, none, responsive } from '../attack.ts';
import type { Client } from '../client.ts';
import { RawConnection } from '../raw-connection.ts';
import { isAcceptable } from '../status.ts';
import { timeUntil } from '../wait.ts';

/** Cheap to build and with a compression ratio of ten, so that compression dominates the measurement. */
const path = '/api/v2/schemas/CloudAccounts';
const connections = 32;
const requests = 90;
/** The maximum number of waiting requests per connection. */
const concurrency = 15;
const wait = 30_000;

export default defineAttack({
  name: 'compressed-responses',
  description:
    'Requests 2,880 compressed responses on 32 connections, and disconnects many more after sending requests, while another account sends requests too.',
  bounds: {
    ...responsive,
    otherAccountWait: milliseconds(2_000),
    failures: none,
    unanswered: none,
    memoryGrowth: megabytes(100),
  },
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  isQuick: true,
  async measure(target) {
    const [greedy, modest] = [await target.greedy(), await target.modest()];
    for (const client of [greedy, modest]) await client.requireSuccess('GET', path);
    const memoryGrowth = target.usage.watchMemory();
    const { result, ...delays } = await target.observe(async () => {
      let [failures, otherAccountWait, isOver] = [0, 0, false];
      const requested = Promise.all(
        Array.from({ length: connections }, () => sendRequests(target.port, greedy)),
      );
      const ending = requested.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const leaving = await RawConnection.open(target.port);
        leaving?.write(request(greedy).repeat(concurrency));
        const since = performance.now();
        const status = await modest.status('GET', path, { headers: { 'Accept-Encoding': 'gzip' } });
        otherAccountWait = Math.max(otherAccountWait, performance.now() - since);
        if (!isAcceptable(status)) failures++;
        leaving?.destroy();
      }
      const statuses = (await ending).flat();
      failures += statuses.filter((status) => !isAcceptable(status)).length;
      return { failures, otherAccountWait, unanswered: connections * requests - statuses.length };
    });
    return { ...delays, ...result, memoryGrowth: memoryGrowth() };
  },
});

const request = ({ token }: Client) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: gzip\r\n\r\n`;

/** Returns the statuses of all requests of a connection. */
async function sendRequests(port: number, client: Client): Promise<number[]> {
  const connection = await RawConnection.open(port);
  if (!connection) return [];
  connection.read();
  for (let sent = 0; sent < requests; sent += concurrency) {
    connection.write(request(client).repeat(concurrency));
    await timeUntil(() => connection.isClosed || connection.statuses.length >= sent + concurrency, wait);
  }
  connection.destroy();
  return connection.statuses;
}

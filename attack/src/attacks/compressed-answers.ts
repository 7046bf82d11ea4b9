import { defineAttack, megabytes, milliseconds, none, responsive } from '../attack.ts';
import type { Client } from '../client.ts';
import { RawConnection } from '../raw-connection.ts';
import { isAcceptable } from '../status.ts';
import { timeUntil } from '../wait.ts';

/** Cheap to make and ten times as long as it is compressed, so that what is measured is the compression. */
const path = '/api/v2/schemas/CloudAccounts';
const connections = 32;
const requests = 90;
/** As many as a connection may have waiting. */
const atOnce = 15;
const wait = 30_000;

export default defineAttack({
  name: 'compressed-answers',
  does: 'Asks for 2,880 compressed answers on 32 connections, and leaves after asking on many more, while another account asks too.',
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
    for (const client of [greedy, modest]) await client.must('GET', path);
    const memoryGrowth = target.consumption.watchMemory();
    const { result, ...delays } = await target.observe(async () => {
      let [failures, otherAccountWait, isOver] = [0, 0, false];
      const asked = Promise.all(Array.from({ length: connections }, () => askAgain(target.port, greedy)));
      const ending = asked.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const leaving = await RawConnection.open(target.port);
        leaving?.write(request(greedy).repeat(atOnce));
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

/** The statuses of all requests of a connection. */
async function askAgain(port: number, client: Client): Promise<number[]> {
  const connection = await RawConnection.open(port);
  if (!connection) return [];
  connection.read();
  for (let sent = 0; sent < requests; sent += atOnce) {
    connection.write(request(client).repeat(atOnce));
    await timeUntil(() => connection.isClosed || connection.statuses.length >= sent + atOnce, wait);
  }
  connection.destroy();
  return connection.statuses;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { count, defineAttack, megabytes, none, responsive } from '../attack.ts';
import { RawConnection } from '../raw-connection.ts';
import { timeOf } from '../wait.ts';

const connections = 1_000;
const seconds = 40;
const starts = [
  'GET /api/v2/UserProfile HTTP/1.1\r\nHost: localhost\r\n',
  'POST /api/v2/access/tokens HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
  'POST /api/v2/access/tokens HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
];
/** Continuations of each start, sent so slowly that the request never ends. */
const continuations = ['X-Slow: 1\r\n', ' ', '1\r\n \r\n'];

export default defineAttack({
  name: 'slow-senders',
  description: 'Sends 1,000 requests a few bytes every second and never finishes their headers or bodies.',
  bounds: { ...responsive, memoryGrowth: megabytes(100), headsStillOpen: none, unansweredSignIns: count(0) },
  timeLimit: 120,
  async measure(target) {
    const before = target.usage.memory();
    const { result, ...delays } = await target.observe(async () => {
      const opened = await Promise.all(
        Array.from({ length: connections }, (_, at) =>
          RawConnection.open(target.port, `127.0.0.${2 + (at % 6)}`),
        ),
      );
      for (const [at, connection] of opened.entries()) {
        connection?.read();
        connection?.write(starts[at % starts.length] as string);
      }
      let unansweredSignIns = 0;
      for (let second = 0; second < seconds; second++) {
        for (const [at, connection] of opened.entries())
          connection?.write(continuations[at % continuations.length] as string);
        if (second % 10 === 5 && (await timeOf(() => target.greedy(), 5_000)) > 5_000) unansweredSignIns++;
        await sleep(1_000);
      }
      const memoryGrowth = target.usage.memory() - before;
      // Headers time out after 15 seconds; bodies after a minute, which is longer than this attack.
      const headsStillOpen = opened.filter(
        (one, at) => one && !one.isClosed && at % starts.length === 0,
      ).length;
      for (const connection of opened) connection?.destroy();
      return { memoryGrowth, headsStillOpen, unansweredSignIns };
    });
    return { ...delays, ...result };
  },
});

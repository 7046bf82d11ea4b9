import { defineAttack, none, responsive } from '../attack.ts';
import { RawConnection } from '../raw-connection.ts';
import { isAcceptable } from '../status.ts';
import { timeUntil } from '../wait.ts';

const requests = 2_000;
const paths = ['/metrics', '/readyz', '/healthz', '/api/v2/docs', '/no-such-path'] as const;

export default defineAttack({
  name: 'pipelined-metrics',
  description: 'Sends 2,000 pipelined requests for each public path, without a login.',
  bounds: { ...responsive, failures: none, unanswered: none },
  isQuick: true,
  timeLimit: 510,
  async measure(target) {
    const { result, ...delays } = await target.observe(async () => {
      let [failures, unanswered] = [0, 0];
      for (const path of paths) {
        const connection = await RawConnection.open(target.port);
        if (!connection) throw new Error('The server accepts no connection.');
        connection.read();
        connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests));
        const isOver = () => connection.isClosed || connection.statuses.length >= requests - 1;
        if ((await timeUntil(isOver, 100_000)) === Number.POSITIVE_INFINITY) unanswered++;
        failures += connection.statuses.filter((status) => !isAcceptable(status)).length;
        connection.destroy();
      }
      return { failures, unanswered };
    });
    return { ...delays, ...result };
  },
});

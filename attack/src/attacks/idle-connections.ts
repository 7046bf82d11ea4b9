import { count, defineAttack, megabytes, milliseconds, none, responsive } from '../attack.ts';
import { RawConnection } from '../raw-connection.ts';
import { timeOf, timeUntil } from '../wait.ts';

const connections = 2_000;

export default defineAttack({
  name: 'idle-connections',
  description: 'Opens 2,000 connections and sends nothing, while an administrator signs in.',
  bounds: {
    ...responsive,
    ...{ signIn: milliseconds(2_000), memoryGrowth: megabytes(100), descriptorsAfterwards: count(50) },
    stillOpen: none,
  },
  timeLimit: 150,
  async measure(target) {
    await target.greedy();
    const [descriptors, memory] = [target.usage.descriptors(), target.usage.memory()];
    const { result, ...delays } = await target.observe(async () => {
      const opened: RawConnection[] = [];
      while (opened.length < connections) {
        const more = await Promise.all(
          Array.from({ length: 200 }, (_, at) => RawConnection.open(target.port, `127.0.0.${2 + (at % 6)}`)),
        );
        // Stop when the server accepts no more connections.
        const accepted = more.filter((connection) => connection !== undefined);
        opened.push(...accepted);
        for (const connection of accepted) connection.read();
        if (accepted.length === 0) break;
      }
      const signIn = await timeOf(() => target.greedy(), 20_000);
      const memoryGrowth = target.usage.memory() - memory;
      await timeUntil(() => opened.every(({ isClosed }) => isClosed), 60_000);
      const stillOpen = opened.filter(({ isClosed }) => !isClosed).length;
      for (const connection of opened) connection.destroy();
      return { signIn, memoryGrowth, stillOpen };
    });
    const isReleased = () => target.usage.descriptors() - descriptors <= 50;
    await timeUntil(isReleased, 10_000);
    return { ...delays, ...result, descriptorsAfterwards: target.usage.descriptors() - descriptors };
  },
});

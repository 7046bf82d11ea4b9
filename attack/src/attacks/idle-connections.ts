import { count, defineAttack, megabytes, milliseconds, none, responsive } from '../attack.ts';
import { RawConnection } from '../raw-connection.ts';
import { timeOf, timeUntil } from '../wait.ts';

const connections = 2_000;

export default defineAttack({
  name: 'idle-connections',
  does: 'Opens 2,000 connections and sends nothing, while an administrator signs in.',
  bounds: {
    ...responsive,
    ...{ signIn: milliseconds(2_000), memoryGrowth: megabytes(100), descriptorsAfterwards: count(50) },
    stillOpen: none,
  },
  timeLimit: 150,
  async measure(target) {
    await target.greedy();
    const [descriptors, memory] = [target.consumption.descriptors(), target.consumption.memory()];
    const { result, ...delays } = await target.observe(async () => {
      const opened: RawConnection[] = [];
      while (opened.length < connections) {
        const more = await Promise.all(
          Array.from({ length: 200 }, (_, at) => RawConnection.open(target.port, `127.0.0.${2 + (at % 6)}`)),
        );
        // Once the server takes no more there is nothing to gain from trying.
        const taken = more.filter((connection) => connection !== undefined);
        opened.push(...taken);
        for (const connection of taken) connection.read();
        if (taken.length === 0) break;
      }
      const signIn = await timeOf(() => target.greedy(), 20_000);
      const memoryGrowth = target.consumption.memory() - memory;
      await timeUntil(() => opened.every(({ isClosed }) => isClosed), 60_000);
      const stillOpen = opened.filter(({ isClosed }) => !isClosed).length;
      for (const connection of opened) connection.destroy();
      return { signIn, memoryGrowth, stillOpen };
    });
    const fewMore = () => target.consumption.descriptors() - descriptors <= 50;
    await timeUntil(fewMore, 10_000);
    return { ...delays, ...result, descriptorsAfterwards: target.consumption.descriptors() - descriptors };
  },
});

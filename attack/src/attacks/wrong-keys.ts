import { defineAttack, milliseconds, none, responsive } from '../attack.ts';
import { Client } from '../client.ts';
import { timeOf } from '../wait.ts';

const attempts = 480;
const concurrency = 20;

export default defineAttack({
  name: 'wrong-keys',
  description: 'Tries 480 wrong keys from one address, then signs in with a valid key from the same address.',
  bounds: { ...responsive, failedSignIns: none, notRefused: none, signIn: milliseconds(5_000) },
  isQuick: true,
  async measure(target) {
    const { result, ...delays } = await target.observe(async () => {
      let notRefused = 0;
      for (let from = 0; from < attempts; from += concurrency) {
        const statuses = await Promise.all(
          Array.from({ length: concurrency }, (_, at) =>
            target.unauthenticated.status('POST', '/api/v2/access/tokens', {
              headers: { 'X-LW-UAKS': `_${'0'.repeat(31)}` },
              body: { keyId: `LOCAL_${String(from + at).padStart(50, '0')}` },
            }),
          ),
        );
        notRefused += statuses.filter((status) => status !== 401 && status !== 429).length;
      }
      let failedSignIns = 0;
      const signIn = await timeOf(async () => {
        await Client.signIn(target.port, target.key).catch(() => failedSignIns++);
      }, 60_000);
      return { notRefused, failedSignIns, signIn };
    });
    return { ...delays, ...result };
  },
});

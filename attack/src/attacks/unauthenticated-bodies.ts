import { defineAttack, megabytes, none, responsive } from '../attack.ts';
import { isAcceptableOrClosed } from '../status.ts';

const rounds = 12;
const concurrency = 16;
const bodyOf = (size: number) => JSON.stringify({ keyId: 'x'.repeat(size) });
const small = bodyOf(1_000_000);
const large = bodyOf(16_000_000);
const integers = `{"keyId":[${'123456789012345678901234567890,'.repeat(32_000)}1]}`;

export default defineAttack({
  name: 'unauthenticated-bodies',
  description:
    'Sends the largest accepted bodies, and larger ones, to public, protected and ingest paths without authentication.',
  bounds: { ...responsive, memoryGrowth: megabytes(250), failures: none },
  timeLimit: 240,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    await target.greedy();
    const memoryGrowth = target.usage.watchMemory();
    const { result, ...delays } = await target.observe(async () => {
      let failures = 0;
      for (const [path, body] of [
        ['/api/v2/access/tokens', small],
        ['/api/v2/access/tokens', integers],
        ['/api/v2/AlertChannels', small],
        ['/api/v2/no-such-path', small],
        ['/ingest/v1/Activities/DNSs', large],
      ] as const) {
        for (let round = 0; round < rounds; round++) {
          const statuses = await Promise.all(
            Array.from({ length: body === large ? 4 : concurrency }, () =>
              target.unauthenticated.status('POST', path, { body }),
            ),
          );
          failures += statuses.filter((status) => !isAcceptableOrClosed(status)).length;
        }
      }
      return failures;
    });
    return { ...delays, memoryGrowth: memoryGrowth(), failures: result };
  },
});

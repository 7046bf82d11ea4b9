import { defineAttack, megabytes, none, responsive } from '../attack.ts';
import { isAcceptableOrClosed } from '../status.ts';

const rounds = 12;
const atOnce = 16;
const text = (size: number) => JSON.stringify({ keyId: 'x'.repeat(size) });
const small = text(1_000_000);
const large = text(16_000_000);
const integers = `{"keyId":[${'123456789012345678901234567890,'.repeat(32_000)}1]}`;

export default defineAttack({
  name: 'strangers-bodies',
  does: 'Sends the largest bodies that are taken, and larger ones, to public, protected and ingest paths without a login.',
  bounds: { ...responsive, memoryGrowth: megabytes(250), failures: none },
  timeLimit: 240,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    await target.greedy();
    const memoryGrowth = target.consumption.watchMemory();
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
            Array.from({ length: body === large ? 4 : atOnce }, () =>
              target.stranger.status('POST', path, { body }),
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

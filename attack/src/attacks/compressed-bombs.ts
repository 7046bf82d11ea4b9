import { constants, gzipSync } from 'node:zlib';
import { defineAttack, megabytes, none, responsive } from '../attack.ts';
import { lookup } from '../records.ts';
import { isAcceptable } from '../status.ts';

const gigabyte = 1_000_000_000;
const concurrency = 8;

/** Gzip members that decompress to a gigabyte, about one megabyte in all. */
function bombOf(content: Buffer): Buffer {
  const member = gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  return Buffer.concat(Array.from({ length: Math.ceil(gigabyte / content.length) }, () => member));
}

export default defineAttack({
  name: 'compressed-bombs',
  description:
    'Sends gzip bodies to ingest that decompress to a gigabyte: spaces, nested arrays and valid records.',
  bounds: { ...responsive, memoryGrowth: megabytes(600), failures: none },
  isQuick: true,
  timeLimit: 240,
  async measure(target) {
    const agent = await target.agentOf(await target.greedy());
    const record = Buffer.from(`${JSON.stringify(lookup(1))}\n`.repeat(50_000));
    const bombs = [Buffer.alloc(10_000_000, ' '), Buffer.alloc(10_000_000, '['), record].map(bombOf);
    const memoryGrowth = target.usage.watchMemory();
    const headers = { 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'gzip' };
    const { result, ...delays } = await target.observe(async () => {
      const statuses: number[] = [];
      for (const body of bombs) {
        const sent = Array.from({ length: concurrency }, () =>
          agent.status('POST', '/ingest/v1/Activities/DNSs', { body, headers }),
        );
        statuses.push(...(await Promise.all(sent)));
      }
      return statuses;
    });
    const failures = result.filter((status) => status === 200 || !isAcceptable(status || 503)).length;
    return { ...delays, memoryGrowth: memoryGrowth(), failures };
  },
});

import { defineAttack, megabytes, milliseconds, none, responsive } from '../attack.ts';
import type { Client } from '../client.ts';
import { executionOf, fillJoinedRecords } from '../records.ts';
import { isAcceptable } from '../status.ts';

const [senders, seconds] = [16, 30];
const config = { Blob: 'x'.repeat(200_000) };
const search = `{
  source { LW_HA_DNS_REQUESTS }
  filter { HOSTNAME like 'host-1%' }
  return distinct { HOSTNAME }
}`;

export default defineAttack({
  name: 'unfinished-snapshots',
  description:
    'A collector of one account sends large parts of many snapshots that it never finishes, while another account runs queries.',
  bounds: {
    ...responsive,
    // The memory of the engine and half as much, as documented, and four copies of the 16 bodies of 4 MB in flight.
    memoryGrowth: megabytes(1_024),
    otherAccountWait: milliseconds(10_000),
    failures: none,
  },
  timeLimit: 180,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    const [greedy, modest] = [await target.greedy(), await target.modest()];
    const collector = await target.collectorOf(greedy);
    await fillJoinedRecords(await target.agentOf(modest), 5_000);
    const memoryGrowth = target.usage.watchMemory();
    const end = Date.now() + seconds * 1_000;
    const statuses: number[] = [];
    let snapshot = 0;
    const { result, delayP99 } = await target.observe(async () => {
      const sending = Array.from({ length: senders }, async () => {
        while (Date.now() < end) statuses.push(await sendPart(collector, snapshot++));
      });
      let longest = 0;
      while (Date.now() < end) {
        const began = Date.now();
        statuses.push(await modest.status('POST', '/api/v2/Queries/execute', { body: executionOf(search) }));
        longest = Math.max(longest, Date.now() - began);
      }
      await Promise.all(sending);
      return longest;
    });
    return {
      ...{ delayP99, otherAccountWait: result, memoryGrowth: memoryGrowth() },
      failures: statuses.filter((status) => !isAcceptable(status)).length,
    };
  },
});

/** Each snapshot has a scope of its own, and different resources. */
function sendPart(collector: Client, number: number): Promise<number> {
  const path = `/ingest/v1/resources/aws/1234/LW_CFG_AWS_EC2_INSTANCES/region-${number}?started=${Date.now()}&part=1`;
  const body = Array.from({ length: 20 }, (_, at) => ({
    ...{ key: `arn:aws:ec2:region-${number}:1234:instance/${at}`, config: { ...config, number, at } },
  }));
  return collector.status('POST', path, { body });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { defineAttack, milliseconds, none } from '../attack.ts';
import { endlessJoin, executionOf, fillJoinedRecords, lookup } from '../records.ts';
import { isAcceptable } from '../status.ts';
import { timeOf } from '../wait.ts';

const joins = 6;
const wait = 90_000;

export default defineAttack({
  name: 'endless-joins',
  description: 'Runs six five-way joins of one account while another account searches its own records.',
  bounds: { otherAccountWait: milliseconds(10_000), failures: none },
  timeLimit: 200,
  async measure(target) {
    const [greedy, modest] = [await target.greedy(), await target.modest()];
    await fillJoinedRecords(await target.agentOf(greedy), 5_000);
    const agent = await target.agentOf(modest);
    await agent.requireSuccess('POST', '/ingest/v1/Activities/DNSs', { body: [lookup(1)] });
    const aborting = new AbortController();
    const { result, ...delays } = await target.observe(async () => {
      const body = executionOf(endlessJoin);
      const requested = Array.from({ length: joins }, () =>
        greedy.request('POST', '/api/v2/Queries/execute', { body, signal: aborting.signal }).catch(() => {}),
      );
      await sleep(1_000);
      let failures = 0;
      const otherAccountWait = await timeOf(async (signal) => {
        const status = await modest.status('POST', '/api/v2/Activities/DNSs/search', { body: {}, signal });
        if (!isAcceptable(status)) failures++;
      }, wait);
      aborting.abort();
      await Promise.all(requested);
      return { otherAccountWait, failures };
    });
    return { ...delays, ...result };
  },
});

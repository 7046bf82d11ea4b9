import { setTimeout as sleep } from 'node:timers/promises';
import { defineAttack, milliseconds, none, responsive } from '../attack.ts';
import type { Client } from '../client.ts';
import { isAcceptable } from '../status.ts';
import { timeOf } from '../wait.ts';

const searches = 4;
const queryText = `{ source { LW_HE_MACHINES } filter { HOSTNAME = '${'ab'.repeat(35_000)}' } return { MID } }`;
const filters = Array.from({ length: 90 }, (_, at) => ({
  field: 'queryText',
  expression: 'not_rlike',
  value: `.*a[ab]{990}[c-z]{${at + 1}}.*`,
}));
/** Searches of another account meanwhile; each may scan stored records. */
const otherSearches = ['AuditLogs', 'Alerts', 'Policies', 'Queries'] as const;
const wait = 20_000;

export default defineAttack({
  name: 'scanned-patterns',
  description:
    'Searches a long stored query with 90 slow regular expressions while another account searches, and disconnects before the response.',
  bounds: {
    ...responsive,
    otherAccountWait: milliseconds(5_000),
    failures: none,
    processorShareAfterwards: { max: 0.1, unit: 'cores' },
  },
  timeLimit: 180,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    const [greedy, modest] = [await target.greedy(), await target.modest()];
    await greedy.requireSuccess('POST', '/api/v2/Queries', { body: { queryId: 'Long', queryText } });
    const { result, ...delays } = await target.observe(async () => {
      const disconnect = await startSearches(greedy);
      let [otherAccountWait, failures] = [0, 0];
      for (const family of otherSearches) {
        const waited = await timeOf(async (signal) => {
          const status = await modest.status('POST', `/api/v2/${family}/search`, { body: {}, signal });
          if (!isAcceptable(status)) failures++;
        }, wait);
        otherAccountWait = Math.max(otherAccountWait, waited);
      }
      await disconnect();
      return { otherAccountWait, failures };
    });
    const disconnect = await startSearches(greedy);
    await disconnect();
    // Started work may finish its current step.
    await sleep(3_000);
    const before = target.usage.processorTime();
    await sleep(5_000);
    const processorShareAfterwards = (target.usage.processorTime() - before) / 5;
    return { ...delays, ...result, processorShareAfterwards };
  },
});

/** Starts slow searches; the returned function disconnects all of them. */
async function startSearches(client: Client): Promise<() => Promise<void>> {
  const aborting = new AbortController();
  const requested = Array.from({ length: searches }, () =>
    client
      .request('POST', '/api/v2/Queries/search', { body: { filters }, signal: aborting.signal })
      .catch(() => undefined),
  );
  // Long enough for all of them to start.
  await sleep(8_000);
  return async () => {
    aborting.abort();
    await Promise.all(requested);
  };
}

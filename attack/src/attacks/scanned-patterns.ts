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
/** What another account asks meanwhile; each of these may scan stored records. */
const others = ['AuditLogs', 'Alerts', 'Policies', 'Queries'] as const;
const wait = 20_000;

export default defineAttack({
  name: 'scanned-patterns',
  does: 'Searches a long stored query with 90 slow regular expressions while another account searches, and leaves before the answer.',
  bounds: {
    ...responsive,
    otherAccountWait: milliseconds(5_000),
    failures: none,
    processorShareAfterwards: { atMost: 0.1, unit: 'cores' },
  },
  timeLimit: 180,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    const [greedy, modest] = [await target.greedy(), await target.modest()];
    await greedy.must('POST', '/api/v2/Queries', { body: { queryId: 'Long', queryText } });
    const { result, ...delays } = await target.observe(async () => {
      const leave = await startSearches(greedy);
      let [otherAccountWait, failures] = [0, 0];
      for (const family of others) {
        const waited = await timeOf(async (signal) => {
          const status = await modest.status('POST', `/api/v2/${family}/search`, { body: {}, signal });
          if (!isAcceptable(status)) failures++;
        }, wait);
        otherAccountWait = Math.max(otherAccountWait, waited);
      }
      await leave();
      return { otherAccountWait, failures };
    });
    const leave = await startSearches(greedy);
    await leave();
    // What was begun may come to the end of its step.
    await sleep(3_000);
    const before = target.consumption.processorTime();
    await sleep(5_000);
    const processorShareAfterwards = (target.consumption.processorTime() - before) / 5;
    return { ...delays, ...result, processorShareAfterwards };
  },
});

/** Searches that last long; returns how to leave all of them. */
async function startSearches(client: Client): Promise<() => Promise<void>> {
  const leaving = new AbortController();
  const asked = Array.from({ length: searches }, () =>
    client
      .ask('POST', '/api/v2/Queries/search', { body: { filters }, signal: leaving.signal })
      .catch(() => undefined),
  );
  // Long enough that all of them have begun.
  await sleep(8_000);
  return async () => {
    leaving.abort();
    await Promise.all(asked);
  };
}

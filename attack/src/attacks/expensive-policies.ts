import { setTimeout as sleep } from 'node:timers/promises';
import { defineAttack, milliseconds } from '../attack.ts';
import type { Client } from '../client.ts';
import { endlessJoin, fillJoinedRecords, lookup } from '../records.ts';
import { timeUntil } from '../wait.ts';

const policies = 30;
const trivial = `{
  source { LW_HA_DNS_REQUESTS }
  filter { HOSTNAME like 'host-%' }
  return { MID, HOSTNAME, RECORD_CREATED_TIME }
}`;

export default defineAttack({
  name: 'expensive-policies',
  description:
    'Creates 30 policies of one account whose queries never end, then a trivial policy of another account that must raise an alert.',
  bounds: { otherAccountWait: milliseconds(60_000) },
  timeLimit: 240,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    const [greedy, modest] = [await target.greedy(), await target.modest()];
    const greedyAgent = await target.agentOf(greedy);
    const agent = await target.agentOf(modest);
    const { result, ...delays } = await target.observe(async () => {
      for (let number = 0; number < policies; number++)
        await addPolicy(greedy, `Greedy_${number}`, endlessJoin);
      // Stream policies are evaluated when records arrive.
      await fillJoinedRecords(greedyAgent, 5_000);
      await sleep(10_000);
      await addPolicy(modest, 'Modest', trivial);
      await agent.requireSuccess('POST', '/ingest/v1/Activities/DNSs', { body: [lookup(1)] });
      return timeUntil(async () => {
        const { body } = await modest.request('GET', '/api/v2/Alerts');
        return (body?.data?.length ?? 0) > 0;
      }, 120_000);
    });
    return { ...delays, otherAccountWait: result };
  },
});

async function addPolicy(client: Client, queryId: string, queryText: string): Promise<void> {
  await client.requireSuccess('POST', '/api/v2/Queries', { body: { queryId, queryText } });
  await client.requireSuccess('POST', '/api/v2/Policies', {
    body: {
      ...{ title: queryId, description: 'Part of an attack.', remediation: 'None.', severity: 'high' },
      ...{ enabled: true, alertEnabled: true, policyType: 'Violation', queryId },
      alertProfile: 'LW_HA_DNS_REQUESTS_DEFAULT_PROFILE',
    },
  });
}

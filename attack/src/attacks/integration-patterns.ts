import { defineAttack, none, responsive } from '../attack.ts';
import type { Client } from '../client.ts';
import { isAcceptable } from '../status.ts';

const pattern = '.*a[ab]{900}c.*';
const letters = (length: number) => Array.from({ length }, () => (Math.random() < 0.5 ? 'a' : 'b')).join('');

/** Records of each family with the longest string that it accepts, and the path of that string. */
const records = [
  {
    family: 'AlertChannels',
    field: 'data.x',
    count: 9,
    body: () => ({
      ...{ name: 'long', type: 'Webhook', enabled: 1 },
      data: { webhookUrl: 'https://hooks.example.com/x', x: letters(100_000) },
    }),
  },
  {
    family: 'AgentAccessTokens',
    field: 'props.x',
    count: 1,
    body: () => ({ tokenAlias: 'long', tokenEnabled: 1, props: { x: letters(16_000) } }),
  },
  {
    family: 'ResourceGroups',
    field: 'description',
    count: 1,
    body: () => ({
      ...{ name: 'long', resourceType: 'MACHINE', enabled: 1, description: letters(10_000) },
      query: {
        filters: { one: { field: 'Machine Tag', operation: 'EQUALS', values: ['web'], key: 'role' } },
        expression: { operator: 'AND', children: [{ filterName: 'one' }] },
      },
    }),
  },
  {
    family: 'TeamMembers',
    field: 'props.company',
    count: 1,
    body: () => ({ userName: 'long@example.com', userEnabled: 1, props: { company: letters(200) } }),
  },
  {
    family: 'Policies',
    field: 'description',
    count: 1,
    body: () => ({
      ...{ title: 'Long', policyType: 'Manual', severity: 'low', enabled: false, alertEnabled: false },
      ...{ description: letters(100_000), remediation: 'None.' },
    }),
  },
] as const;

export default defineAttack({
  name: 'integration-patterns',
  description:
    'Searches the longest strings of integrations and other stored records with a regular expression that is slow to match.',
  bounds: { ...responsive, failures: none },
  async measure(target) {
    const client = await target.greedy();
    for (const { family, body, count } of records)
      for (let index = 0; index < count; index++)
        await client.requireSuccess('POST', `/api/v2/${family}`, { body: body() });
    const { result, ...delays } = await target.observe(async () => {
      let failures = 0;
      for (const record of records) if (!isAcceptable(await search(client, record))) failures++;
      return failures;
    });
    return { ...delays, failures: result };
  },
});

function search(client: Client, { family, field }: { family: string; field: string }): Promise<number> {
  const body = { filters: [{ field, expression: 'rlike', value: pattern }] };
  return client.status('POST', `/api/v2/${family}/search`, { body });
}

import type { Client } from './client.ts';

const concurrency = 8;
const url = 'https://example.com/hook';

/** Channels of the most common types, with and without secrets. */
const kinds: readonly ((index: number) => { type: string; data: object })[] = [
  (index) => ({ type: 'SlackChannel', data: { slackUrl: `${url}/${index}` } }),
  () => ({ type: 'EmailUser', data: { channelProps: { recipients: ['a@example.com', 'b@example.com'] } } }),
  (index) => ({ type: 'Webhook', data: { webhookUrl: `${url}/${index}` } }),
  (index) => ({ type: 'PagerDutyApi', data: { apiIntgKey: `${index}`.padStart(32, '0') } }),
  (index) => ({
    type: 'Datadog',
    data: { datadogSite: 'com', datadogType: 'Logs Detail', apiKey: `key ${index}` },
  }),
  (index) => ({ type: 'MicrosoftTeams', data: { teamsUrl: `${url}/${index}` } }),
];

/** A new account already has one channel. */
export async function seedChannels(client: Client, count: number): Promise<void> {
  await createMany('channels', count - 1, (index) => {
    const { type, data } = (kinds[index % kinds.length] as (typeof kinds)[number])(index);
    return client.create('/api/v2/AlertChannels', { name: `channel ${index}`, type, enabled: 1, data });
  });
}

export async function seedPolicies(client: Client, count: number): Promise<void> {
  const severities = ['critical', 'high', 'medium', 'low', 'info'];
  await createMany('policies', count, (index) =>
    client.create('/api/v2/Policies', {
      title: `Policy ${index}`,
      queryId: 'LW_Global_AWS_CTA_AccessKeyDeleted',
      description: 'A description of the finding, in a sentence or two, of typical length.',
      remediation: '1. Identify the user.\n2. Verify the reason.\n3. Revoke the permission.',
      severity: severities[index % severities.length],
      enabled: index % 2 === 0,
      alertEnabled: false,
      tags: ['domain:AWS', `team:${index % 100}`],
    }),
  );
}

async function createMany(
  name: string,
  count: number,
  make: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      if (next % 1_000 === 0) process.stderr.write(`\rcreating ${name}: ${next} of ${count}  `);
      await make(next++);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  process.stderr.write(`\rcreating ${name}: ${count} of ${count}  \n`);
}

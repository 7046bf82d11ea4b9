import type { Client } from './client.ts';

const atOnce = 8;
const url = 'https://example.com/hook';

/** Channels of the kinds that people use most, with and without secrets, in turns. */
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

/** The account has one from the start. */
export async function seedChannels(client: Client, count: number): Promise<void> {
  await many('channels', count - 1, (index) => {
    const { type, data } = (kinds[index % kinds.length] as (typeof kinds)[number])(index);
    return client.create('/api/v2/AlertChannels', { name: `channel ${index}`, type, enabled: 1, data });
  });
}

export async function seedPolicies(client: Client, count: number): Promise<void> {
  const severities = ['critical', 'high', 'medium', 'low', 'info'];
  await many('policies', count, (index) =>
    client.create('/api/v2/Policies', {
      title: `Policy ${index}`,
      queryId: 'LW_Global_AWS_CTA_AccessKeyDeleted',
      description: 'What it looks for, in a sentence or two, as people write it.',
      remediation: '1. Look who did it.\n2. Ask why.\n3. Take the permission away.',
      severity: severities[index % severities.length],
      enabled: index % 2 === 0,
      alertEnabled: false,
      tags: ['domain:AWS', `team:${index % 100}`],
    }),
  );
}

async function many(what: string, count: number, make: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      if (next % 1_000 === 0) process.stderr.write(`\rmaking ${what}: ${next} of ${count}  `);
      await make(next++);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  process.stderr.write(`\rmaking ${what}: ${count} of ${count}  \n`);
}

import type { Client } from './client.ts';

const hour = 3_600_000;
const recordsPerBatch = 5_000;

export const lookup = (number: number) => ({
  createdTime: new Date(Date.now() - (number % 600) * 1_000).toISOString(),
  ...{
    mid: 1,
    fqdn: `host-${number}.example.com`,
    hostIpAddr: '192.0.2.1',
    ttl: 60,
    dnsServerIp: '192.0.2.53',
  },
});

export const machine = () => ({
  createdTime: new Date(Date.now() - 60_000).toISOString(),
  ...{ mid: 1, hostname: 'web-1', domain: '(none)', os: 'Ubuntu', osVersion: '24.04' },
  ...{ kernel: 'Linux', kernelRelease: '6.8.0', kernelVersion: '#1' },
});

/** One host and its DNS requests, all of which join with each other. */
export async function fillJoinedRecords(agent: Client, lookups: number): Promise<void> {
  await agent.requireSuccess('POST', '/ingest/v1/Entities/MachineDetails', { body: [machine()] });
  for (let from = 0; from < lookups; from += recordsPerBatch) {
    const size = Math.min(recordsPerBatch, lookups - from);
    const body = Array.from({ length: size }, (_, at) => lookup(from + at));
    await agent.requireSuccess('POST', '/ingest/v1/Activities/DNSs', { body });
  }
}

const names = ['a', 'b', 'c', 'd'] as const;
const sources = names.map((name) => `LW_HA_DNS_REQUESTS ${name}`).join(', ');
const joined = names.map((name) => `${name}.HOSTNAME`).join(' || ');

/** Five datasources, of which four contain every DNS request of the host: a combinatorial explosion. */
export const endlessJoin = `{
  source { LW_HE_MACHINES m with (${sources}) }
  filter { ${joined} = 'never' }
  return distinct { m.MID }
}`;

/** Distinct pairs of names, which need more memory than available. */
export const spillingQuery = `{
  source { LW_HE_MACHINES m with (LW_HA_DNS_REQUESTS a, LW_HA_DNS_REQUESTS b) }
  return distinct { a.HOSTNAME || b.HOSTNAME as NAME }
}`;

export const executionOf = (queryText: string) => ({
  query: { queryText },
  arguments: [
    { name: 'StartTimeRange', value: new Date(Date.now() - 24 * hour).toISOString() },
    { name: 'EndTimeRange', value: new Date(Date.now() + hour).toISOString() },
  ],
});

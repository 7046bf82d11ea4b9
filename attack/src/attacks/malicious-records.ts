import { defineAttack, none, responsive } from '../attack.ts';
import { lookup, machine } from '../records.ts';

const wide = `{${Array.from({ length: 400_000 }, (_, at) => `"member${at}":${at}`).join(',')}}`;
const arrays = `[${Array.from({ length: 1_200_000 }, () => '[[[[[]]]]]').join(',')}]`;
const deep = '['.repeat(5_000) + ']'.repeat(5_000);

const withMember = (record: object, name: string, json: string) =>
  `${JSON.stringify(record).slice(0, -1)},${JSON.stringify(name)}:${json}}`;
const records = [
  wide,
  withMember(lookup(1), 'extra', wide),
  `${JSON.stringify(lookup(1)).slice(0, -1)},${wide.slice(1)}`,
  withMember(lookup(1), 'extra', arrays),
  withMember(lookup(1), 'extra', deep),
];

export default defineAttack({
  name: 'malicious-records',
  description:
    'Sends records with 400,000 members, six million nested arrays or 5,000 levels to ingest, as an agent.',
  bounds: { ...responsive, failures: none },
  isQuick: true,
  timeLimit: 300,
  async measure(target) {
    const agent = await target.agentOf(await target.greedy());
    const { result, ...delays } = await target.observe(async () => {
      const statuses: number[] = [];
      for (const record of records) {
        for (const body of [`[${record}]`, record]) {
          const type = body === record ? 'application/x-ndjson' : 'application/json';
          const headers = { 'Content-Type': type };
          statuses.push(await agent.status('POST', '/ingest/v1/Activities/DNSs', { body, headers }));
        }
      }
      const details = withMember(machine(), 'cpuInfo', arrays);
      statuses.push(
        await agent.status('POST', '/ingest/v1/Entities/MachineDetails', { body: `[${details}]` }),
      );
      return statuses;
    });
    return { ...delays, failures: result.filter((status) => status !== 400).length };
  },
});

import { defineAttack, none, responsive } from '../attack.ts';
import { type DocumentedOperation, operationsWithBody } from '../documented-operation.ts';

const levels = 5_000;
const arrays = '['.repeat(levels) + ']'.repeat(levels);
const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Bodies that are valid except for their depth, with a member that accepts any JSON. */
const valid: readonly (readonly [string, (deep: string) => string])[] = [
  [
    'AlertChannels',
    (deep) =>
      `{"name":"deep","type":"Webhook","enabled":1,"data":{"webhookUrl":"https://hooks.example.com/","x":${deep}}}`,
  ],
  ['AgentAccessTokens', (deep) => `{"tokenAlias":"deep","tokenEnabled":1,"props":{"x":${deep}}}`],
  [
    'Queries',
    (deep) =>
      `{"queryId":"Deep","queryText":"{ source { LW_HE_MACHINES } return { MID } }","usageContext":{"x":${deep}}}`,
  ],
  ['Policies/search', (deep) => `{"filters":[],"x":${deep}}`],
];

export default defineAttack({
  name: 'nested-bodies',
  description:
    'Sends 5,000 levels of arrays and of objects as each member of the body of each operation, which must answer 400.',
  bounds: { ...responsive, notRefused: none },
  isQuick: true,
  timeLimit: 300,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    const client = await target.greedy();
    const [agent, collector] = [await target.agentOf(client), await target.collectorOf(client)];
    const callers = { user: client, agent, collector };
    const operations = await operationsWithBody(client);
    const { result, ...delays } = await target.observe(async () => {
      const wrong: string[] = [];
      let sent = 0;
      const send = async (method: string, path: string, body: string, caller = client) => {
        const status = await caller.status(method, path, { body });
        sent++;
        if (status !== 400) wrong.push(`${method} ${path} ${status}: ${body.slice(0, 60)}`);
      };
      for (const deep of [arrays, objects]) {
        for (const [family, body] of valid) await send('POST', `/api/v2/${family}`, body(deep));
        for (const operation of operations) {
          const caller = callers[operation.caller];
          for (const body of bodiesOf(operation, deep))
            await send(operation.method, operation.path, body, caller);
        }
      }
      return { wrong, sent };
    });
    for (const line of result.wrong.slice(0, 20)) process.stderr.write(`${line}\n`);
    return { ...delays, notRefused: result.wrong.length, sent: result.sent };
  },
});

function bodiesOf({ members, takesRecords }: DocumentedOperation, deep: string): string[] {
  const bodies = members.map((path) =>
    path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, deep),
  );
  return [deep, ...bodies].map((body) => (takesRecords ? `[${body}]` : body));
}

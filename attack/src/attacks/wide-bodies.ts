import { defineAttack, none, responsive } from '../attack.ts';
import { operationsWithBody } from '../documented-operation.ts';
import { isAcceptable } from '../status.ts';

const arrays = `[${'[],'.repeat(340_000)}[]]`;
const members = `{${Array.from({ length: 60_000 }, (_, at) => `"member${at}":${at}`).join(',')}}`;
const nulls = `[${'null,'.repeat(200_000)}null]`;

const shapes = [arrays, members, nulls] as const;

export default defineAttack({
  name: 'wide-bodies',
  description:
    'Sends a megabyte of empty arrays, of members or of nulls as each member of the body of each operation.',
  bounds: { ...responsive, failures: none },
  timeLimit: 600,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    const client = await target.greedy();
    const [agent, collector] = [await target.agentOf(client), await target.collectorOf(client)];
    const callers = { user: client, agent, collector };
    const operations = await operationsWithBody(client);
    const failed: string[] = [];
    let sent = 0;
    const { result: _, ...delays } = await target.observe(async () => {
      for (const { method, path, caller: kind, takesRecords, members: paths } of operations) {
        const names = paths.filter(({ length }) => length === 1).map(([name]) => name);
        for (const name of [undefined, ...names]) {
          // Shapes alternate: all of them for each member would take too long.
          const wide = shapes[sent % shapes.length] as string;
          const body = name === undefined ? wide : `{"${name}":${wide}}`;
          const caller = callers[kind];
          const status = await caller.status(method, path, { body: takesRecords ? `[${body}]` : body });
          sent++;
          if (!isAcceptable(status)) failed.push(`${method} ${path} ${status}: ${body.slice(0, 60)}`);
        }
      }
    });
    for (const line of failed.slice(0, 20)) process.stderr.write(`${line}\n`);
    return { ...delays, failures: failed.length, sent };
  },
});

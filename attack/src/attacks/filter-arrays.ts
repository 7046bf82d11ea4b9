import { defineAttack, none, responsive } from '../attack.ts';
import { isSearch, operationsWithBody } from '../documented-operation.ts';
import { isAcceptable } from '../status.ts';

const many = <Value>(length: number, value: (number: number) => Value) =>
  Array.from({ length }, (_, at) => value(at));

const bodies = {
  filters: { filters: many(10_000, (at) => ({ field: `field${at}`, expression: 'eq', value: 'x' })) },
  patterns: {
    filters: many(90, (at) => ({ field: `field${at}`, expression: 'rlike', value: '(a{0,30}){0,30}' })),
  },
  returns: { returns: many(100_000, (at) => `name${at}`) },
  sameReturns: { returns: many(100_000, () => 'a') },
  values: { filters: [{ field: 'a', expression: 'in', values: many(150_000, (at) => `v${at}`) }] },
  value: { filters: [{ field: 'a', expression: 'rlike', value: 'a'.repeat(1_000_000) }] },
  path: { filters: [{ field: 'a.'.repeat(500_000), expression: 'eq', value: 'x' }] },
  brackets: { filters: [{ field: `a${'[*]'.repeat(300_000)}`, expression: 'eq', value: 'x' }] },
} as const;

export default defineAttack({
  name: 'filter-arrays',
  description:
    'Sends 10,000 filters, 100,000 names in returns, a megabyte of values and paths of a megabyte to every search.',
  bounds: { ...responsive, failures: none },
  isQuick: true,
  timeLimit: 300,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    const client = await target.greedy();
    const searches = (await operationsWithBody(client)).filter(isSearch);
    const failed: string[] = [];
    const { result: _, ...delays } = await target.observe(async () => {
      for (const [shape, value] of Object.entries(bodies)) {
        const body = JSON.stringify(value);
        for (const { method, path } of searches) {
          const status = await client.status(method, path, { body });
          if (!isAcceptable(status)) failed.push(`${shape} ${path} ${status}`);
        }
      }
    });
    for (const line of failed.slice(0, 20)) process.stderr.write(`${line}\n`);
    return { ...delays, failures: failed.length };
  },
});

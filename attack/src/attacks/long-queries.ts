import { defineAttack, none, responsive } from '../attack.ts';
import { executionOf } from '../records.ts';
import { isAcceptable } from '../status.ts';

const length = 72_000;

/** Repeats a fragment up to the maximum length of a query. */
function filled(start: string, fragment: (number: number) => string, end: string): string {
  let query = start;
  for (let number = 0; query.length + fragment(number).length + end.length <= length; number++)
    query += fragment(number);
  return query + end;
}

const machines = '{ source { LW_HE_MACHINES m } ';
const shapes = {
  parentheses: `${machines}filter { ${'('.repeat(35_000)}m.MID = 1${')'.repeat(35_000)} } return { m.MID } }`,
  conjunction: filled(`${machines}filter { m.MID = 1`, () => ' and MID=1', ' } return { m.MID } }'),
  disjunction: filled(
    `${machines}filter { m.MID = 1`,
    (number) => ` or m.HOSTNAME rlike 'x{${number % 900}}'`,
    ' } return { m.MID } }',
  ),
  list: filled(`${machines}filter { m.MID in (1`, (number) => `,${number}`, ') } return { m.MID } }'),
  returns: filled(`${machines}return { m.MID`, (number) => `, m.MID as M${number}`, ' } }'),
  concatenation: filled(`${machines}return { ''`, () => "||''", ' as TEXT } }'),
  sum: filled(`${machines}return { 1`, () => '+1', ' as NUMBER } }'),
  negations: filled(`${machines}filter { `, () => 'not ', 'm.MID = 1 } return { m.MID } }'),
  calls: filled(`${machines}return { `, () => 'upper(', " '' } }"),
  unknownNames: filled(`${machines}return { m.MID`, (number) => `, m.MIDD${number}`, ' } }'),
  strings: `${machines}filter { m.HOSTNAME = '${'x'.repeat(71_000)}' } return { m.MID } }`,
  pattern: `${machines}filter { m.HOSTNAME rlike '${'(a|b)*'.repeat(11_000)}' } return { m.MID } }`,
  openString: `${machines}filter { m.HOSTNAME = '${'\\\\'.repeat(35_000)}`,
  comments: filled(machines, () => '/*', ' return { m.MID } }'),
  braces: '{'.repeat(length),
} as const;

export default defineAttack({
  name: 'long-queries',
  description: 'Validates, executes and creates LQL of 72,000 characters in shapes that are slow to parse.',
  bounds: { ...responsive, failures: none },
  timeLimit: 300,
  settings: { VEDETTE_RATE_LIMIT: 'off' },
  async measure(target) {
    const client = await target.greedy();
    // The first search loads the telemetry engine, which must not be measured.
    await client.requireSuccess('POST', '/api/v2/Activities/DNSs/search', { body: {} });
    const failed: string[] = [];
    let [delayP99, longestDelay] = [0, 0];
    for (const [shape, queryText] of Object.entries(shapes)) {
      const observed = await target.observe(async () => {
        const statuses = [
          await client.status('POST', '/api/v2/Queries/validate', { body: { queryText } }),
          await client.status('POST', '/api/v2/Queries/execute', { body: executionOf(queryText) }),
          await client.status('POST', '/api/v2/Queries', { body: { queryId: `Long_${shape}`, queryText } }),
        ];
        failed.push(
          ...statuses.filter((status) => !isAcceptable(status)).map((status) => `${shape} ${status}`),
        );
      });
      process.stderr.write(`${shape}: p99 ${Math.round(observed.delayP99)} ms\n`);
      delayP99 = Math.max(delayP99, observed.delayP99);
      longestDelay = Math.max(longestDelay, observed.longestDelay);
    }
    for (const line of failed) process.stderr.write(`${line}\n`);
    return { delayP99, longestDelay, failures: failed.length };
  },
});

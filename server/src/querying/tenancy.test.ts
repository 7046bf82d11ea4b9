import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import { shippedPacks } from '../detection/packs/pack.ts';
import { Refusal } from '../platform/errors.ts';
import { cloudTrailRawEvents } from '../telemetry/datasets/CloudTrailRawEvents.ts';
import { dnss } from '../telemetry/datasets/DNSs.ts';
import { files } from '../telemetry/datasets/Files.ts';
import { machineDetails } from '../telemetry/datasets/MachineDetails.ts';
import { datasets } from '../telemetry/datasets.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { QueryLanguage } from './language.ts';
import { QueryRunner } from './runner.ts';

const own = `A' or '1'='1`;
const other = 'B"; --';
const hour = 3_600_000;
const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
let place: TestTelemetry;
let runner: QueryRunner;
let range: { start: number; end: number };

beforeAll(async () => {
  place = await TestTelemetry.start();
  const { telemetry, clock } = place;
  runner = new QueryRunner({ telemetry, clock });
  const now = clock.now();
  range = { start: now - 2 * hour, end: now - hour };
  await report(own, 'seen', range.start);
  await report(own, 'seen', range.end - 1);
  await report(own, 'early', range.start - 1);
  await report(own, 'late', range.end);
  await report(other, 'foreign', range.start);
});
afterAll(() => place.stop());

/** Reports data to every dataset, with the word in all values that a query can return. */
async function report(account: string, word: string, instant: number): Promise<void> {
  const createdTime = new Date(instant).toISOString();
  const secret = `${word}-canary`;
  const common = { mid: 1, createdTime };
  await place.take(dnss, account, [
    { ...common, fqdn: secret, hostIpAddr: secret, ttl: 1, dnsServerIp: secret },
  ]);
  await place.take(files, account, [
    { ...common, filePath: secret, filedataHash: secret, size: 1, mtime: '1', fileName: secret },
  ]);
  const machine = { hostname: secret, domain: secret, os: secret, osVersion: secret, kernel: secret };
  await place.take(machineDetails, account, [
    { ...common, ...machine, kernelRelease: secret, kernelVersion: secret, tags: { secret } },
  ]);
  await place.take(cloudTrailRawEvents, account, [
    {
      eventTime: createdTime,
      eventID: secret,
      eventName: secret,
      eventSource: secret,
      list: [secret, { secret }],
    },
  ]);
  const scope = { account, kind: 'LW_CFG_AWS_S3', cloudAccount: `${account}${word}` };
  const config = JSON.stringify({ secret, list: [secret] });
  const resources = [{ key: secret, facts: { URN: secret }, config, tags: '{}' }];
  const record = (at: number, found: typeof resources) =>
    place.telemetry.recordResources({ ...scope, started: at, ended: at, resources: found });
  await record(word === 'early' ? instant - 1 : instant, resources);
  // It exists until a snapshot lacks it.
  if (word === 'early') await record(instant, []);
}

async function run(text: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  const rows = runner.run(language.read(text), { account: own, range, limit: 1_000 });
  for await (const chunk of rows) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** SQL injection attempts. */
const hostile = fc.constantFrom(
  ...[
    "' or 1=1 --",
    "'); drop table x; --",
    '" or ""="',
    '*/ or 1=1 /*',
    '-- ',
    '//',
    "''",
    '\\',
    "\\'",
    '"',
  ],
  ...['$1', '$1::varchar', '?', '%', '_', '{', '}', '}}', ')', ';', '\n', '\r', '\u2028', '\u00e9\u{1f600}'],
  ...[own, other, 'A', 'B', 'account', 'temp.answer', 'union all select', 'read_text', '1970-01-01', 'null'],
);
const words = fc.array(hostile, { maxLength: 3 }).map((all) => all.join(''));
const text = words.chain((word) =>
  fc.constantFrom(
    `s'${word.replaceAll("'", "''")}'`,
    JSON.stringify(word),
    `'${word.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
    // Unescaped: most of these are not valid strings.
    `'${word}'`,
  ),
);
const comment = words.chain((word) =>
  fc.constantFrom(' ', `/*${word}*/`, `--${word.replaceAll(/[\n\r]/g, '')}\n`, `//${word}\n`),
);
/** Names that the compiled statement may use itself. */
const alias = fc.constantFrom(
  ...[
    'a',
    'account',
    'row',
    'doc',
    'seq',
    'n',
    'received',
    'r',
    'l',
    'u',
    'w',
    'c0',
    'k0',
    's0',
    'answer',
    'main',
  ],
  ...['temp', '_', 'a"b', "a'b", 'a;b', 'Straße'],
);

/** A source with an alias, a string that it returns, and a JSON path in it. */
const source = fc.tuple(alias, hostile).chain(([name, key]) => {
  const quoted = JSON.stringify(key);
  return fc.constantFrom(
    { from: `LW_HA_DNS_REQUESTS ${name}`, value: `${name}.HOSTNAME` },
    { from: `CloudTrailRawEvents as ${name}`, value: `${name}.EVENT:list::String` },
    {
      from: `CloudTrailRawEvents ${name}`,
      value: `coalesce(${name}.EVENT:${quoted}::String, ${name}.EVENT_NAME)`,
    },
    { from: `CloudTrailRawEvents e, array_to_rows(e.EVENT:list) as (${name})`, value: `${name}::String` },
    { from: `LW_HE_FILES f with LW_HE_MACHINES ${name}`, value: `f.PATH || ${name}.HOSTNAME` },
    { from: `LW_HE_MACHINES ${name} with LW_HE_FILES f`, value: `f.PATH || ${name}.TAGS:secret` },
    { from: `LW_HE_MACHINES ${name}, LW_HE_FILES f`, value: `f.PATH || ${name}.TAGS::String` },
    { from: `LW_CFG_AWS_S3 ${name}`, value: `${name}.RESOURCE_CONFIG::String` },
    { from: `LW_CFG_AWS_S3 ${name}`, value: `${name}.ARN` },
  );
});

interface Depth {
  readonly left: number;
}

function condition(value: string, { left }: Depth): fc.Arbitrary<string> {
  const simple = fc.oneof(
    fc.constantFrom('true', '1 = 1', 'not (1 = 2)', `${value} is null`, `${value} is not null`),
    text.map((one) => `${value} <> ${one}`),
    text.map((one) => `${value} not in (${one}, 'x')`),
    text.map((one) => `(${value} like ${one} or true)`),
    text.map((one) => `(contains(${value}, ${one}) or ${one} = ${one})`),
    text.map((one) => `case ${value} when ${one} then 1 else 2 end > 0`),
  );
  if (left === 0) return simple;
  const deeper = { left: left - 1 };
  return fc.oneof(
    simple,
    block(deeper).map((inner) => `${value} in ${inner}`),
    block(deeper).map((inner) => `not (${value} in ${inner})`),
    fc
      .tuple(condition(value, deeper), fc.constantFrom('or', 'and'), condition(value, deeper))
      .map(([one, operator, another]) => `(${one} ${operator} ${another})`),
  );
}

function block(depth: Depth): fc.Arbitrary<string> {
  return fc
    .tuple(source, comment, fc.boolean(), alias)
    .chain(([{ from, value }, gap, distinct, name]) =>
      condition(value, depth).map(
        (filter) =>
          `{${gap}source {${gap}${from} } filter { ${filter}${gap}} return ${distinct ? 'distinct ' : ''}{ ${value} ${name} } }`,
      ),
    );
}

const query = fc.oneof(
  { weight: 3, arbitrary: block({ left: 2 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('union', 'union all'),
        fc.array(block({ left: 1 }), { minLength: 1, maxLength: 3 }),
      )
      .map(([kind, blocks]) => `${kind} { ${blocks.join(', ')} }`),
  },
  { weight: 1, arbitrary: words.map((word) => `{ source { LW_HE_FILES } return { PATH ${word} } }`) },
);

test('no query reads rows of another account, or rows outside of its time range', async () => {
  const seen = { run: 0, rows: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const answer = await run(asked).catch((error: unknown) => {
        if (error instanceof Refusal && error.code === 'INVALID_QUERY') return undefined;
        throw error;
      });
      if (answer === undefined) {
        seen.refused++;
        return;
      }
      seen.run++;
      const rows: unknown[] = JSON.parse(`[${answer}]`);
      if (rows.length > 0) seen.rows++;
      expect(answer).not.toMatch(/foreign-canary|early-canary|late-canary/);
    }),
    { numRuns: Number(process.env.VEDETTE_FUZZ ?? 300) },
  );
  // Ensures that enough queries ran.
  const minimum = (seen.run + seen.refused) / 5;
  expect(seen.rows).toBeGreaterThan(minimum);
  expect(seen.refused).toBeGreaterThan(minimum / 4);
});

test('every datasource of this test returns the permitted rows', async () => {
  for (const asked of [
    '{ source { LW_HA_DNS_REQUESTS } return { HOSTNAME } }',
    '{ source { CloudTrailRawEvents } return { EVENT } }',
    '{ source { LW_HE_FILES f with LW_HE_MACHINES m } return distinct { m.TAGS } }',
    '{ source { LW_CFG_AWS_S3 } return { RESOURCE_CONFIG } }',
  ])
    expect(await run(asked)).toContain('seen-canary');
});

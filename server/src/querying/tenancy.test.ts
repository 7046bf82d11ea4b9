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
import { recordResources } from '../telemetry/snapshot.sample.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { QueryLanguage } from './language.ts';
import { QueryRunner } from './runner.ts';

const own = `A' or '1'='1`;
const other = 'B"; --';
const hour = 3_600_000;
const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
let testTelemetry: TestTelemetry;
let runner: QueryRunner;
let range: { start: number; end: number };

beforeAll(async () => {
  testTelemetry = await TestTelemetry.start();
  const { telemetry, clock } = testTelemetry;
  runner = new QueryRunner({ telemetry, clock });
  const now = clock.now();
  range = { start: now - 2 * hour, end: now - hour };
  await report(own, 'seen', range.start);
  await report(own, 'seen', range.end - 1);
  await report(own, 'early', range.start - 1);
  await report(own, 'late', range.end);
  await report(other, 'foreign', range.start);
});
afterAll(() => testTelemetry.stop());

/** Reports data to every dataset, with the label in all values that a query can return. */
async function report(account: string, label: string, instant: number): Promise<void> {
  const createdTime = new Date(instant).toISOString();
  const secret = `${label}-canary`;
  const common = { mid: 1, createdTime };
  await testTelemetry.take(dnss, account, [
    { ...common, fqdn: secret, hostIpAddr: secret, ttl: 1, dnsServerIp: secret },
  ]);
  await testTelemetry.take(files, account, [
    { ...common, filePath: secret, filedataHash: secret, size: 1, mtime: '1', fileName: secret },
  ]);
  const machine = { hostname: secret, domain: secret, os: secret, osVersion: secret, kernel: secret };
  await testTelemetry.take(machineDetails, account, [
    { ...common, ...machine, kernelRelease: secret, kernelVersion: secret, tags: { secret } },
  ]);
  await testTelemetry.take(cloudTrailRawEvents, account, [
    {
      eventTime: createdTime,
      eventID: secret,
      eventName: secret,
      eventSource: secret,
      list: [secret, { secret }],
    },
  ]);
  const scope = { account, kind: 'LW_CFG_AWS_S3', cloudAccount: `${account}${label}` };
  const config = JSON.stringify({ secret, list: [secret] });
  const resources = [{ key: secret, facts: { URN: secret }, config, tags: '{}' }];
  const record = (at: number, snapshot: typeof resources) =>
    recordResources(testTelemetry.telemetry, { ...scope, started: at, ended: at, resources: snapshot });
  await record(label === 'early' ? instant - 1 : instant, resources);
  // It exists until a snapshot lacks it.
  if (label === 'early') await record(instant, []);
}

async function run(text: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  const rows = runner.run(language.read(text), { account: own, range, limit: 1_000 });
  for await (const chunk of rows) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** SQL injection attempts. */
const injection = fc.constantFrom(
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
const payload = fc.array(injection, { maxLength: 3 }).map((all) => all.join(''));
const stringLiteral = payload.chain((content) =>
  fc.constantFrom(
    `s'${content.replaceAll("'", "''")}'`,
    JSON.stringify(content),
    `'${content.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
    // Unescaped: most of these are not valid strings.
    `'${content}'`,
  ),
);
const comment = payload.chain((content) =>
  fc.constantFrom(' ', `/*${content}*/`, `--${content.replaceAll(/[\n\r]/g, '')}\n`, `//${content}\n`),
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
const source = fc.tuple(alias, injection).chain(([name, key]) => {
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
  readonly remaining: number;
}

function condition(value: string, { remaining }: Depth): fc.Arbitrary<string> {
  const simple = fc.oneof(
    fc.constantFrom('true', '1 = 1', 'not (1 = 2)', `${value} is null`, `${value} is not null`),
    stringLiteral.map((one) => `${value} <> ${one}`),
    stringLiteral.map((one) => `${value} not in (${one}, 'x')`),
    stringLiteral.map((one) => `(${value} like ${one} or true)`),
    stringLiteral.map((one) => `(contains(${value}, ${one}) or ${one} = ${one})`),
    stringLiteral.map((one) => `case ${value} when ${one} then 1 else 2 end > 0`),
  );
  if (remaining === 0) return simple;
  const deeper = { remaining: remaining - 1 };
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
  { weight: 3, arbitrary: block({ remaining: 2 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('union', 'union all'),
        fc.array(block({ remaining: 1 }), { minLength: 1, maxLength: 3 }),
      )
      .map(([kind, blocks]) => `${kind} { ${blocks.join(', ')} }`),
  },
  { weight: 1, arbitrary: payload.map((content) => `{ source { LW_HE_FILES } return { PATH ${content} } }`) },
);

test('no query reads rows of another account, or rows outside of its time range', async () => {
  const counts = { run: 0, rows: 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      const output = await run(text).catch((error: unknown) => {
        if (error instanceof Refusal && error.code === 'INVALID_QUERY') return undefined;
        throw error;
      });
      if (output === undefined) {
        counts.rejected++;
        return;
      }
      counts.run++;
      const rows: unknown[] = JSON.parse(`[${output}]`);
      if (rows.length > 0) counts.rows++;
      expect(output).not.toMatch(/foreign-canary|early-canary|late-canary/);
    }),
    { numRuns: Number(process.env.VEDETTE_FUZZ ?? 300) },
  );
  // Ensures that enough queries ran.
  const minimum = (counts.run + counts.rejected) / 5;
  expect(counts.rows).toBeGreaterThan(minimum);
  expect(counts.rejected).toBeGreaterThan(minimum / 4);
});

test('every datasource of this test returns the permitted rows', async () => {
  for (const text of [
    '{ source { LW_HA_DNS_REQUESTS } return { HOSTNAME } }',
    '{ source { CloudTrailRawEvents } return { EVENT } }',
    '{ source { LW_HE_FILES f with LW_HE_MACHINES m } return distinct { m.TAGS } }',
    '{ source { LW_CFG_AWS_S3 } return { RESOURCE_CONFIG } }',
  ])
    expect(await run(text)).toContain('seen-canary');
});

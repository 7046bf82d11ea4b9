import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatasourceCatalogue } from '../../../datasources/catalogue.ts';
import { resourcePolicyOf } from '../../../detection/evaluation/evaluated-policy.ts';
import { shippedPacks } from '../../../detection/packs/pack.ts';
import { QueryLanguage } from '../../../querying/language.ts';
import { jsonArray } from '../../../search/page.ts';
import { TestTelemetry } from '../../../testing/telemetry.ts';
import { datasets } from '../../datasets.ts';
import type { PolicyEvaluation } from '../../evaluation.ts';
import type { PostureFindings } from '../../posture-findings.ts';
import { recordResources } from '../../snapshot.sample.ts';

const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
const day = 86_400_000;
let place: TestTelemetry;
beforeEach(async () => {
  place = await TestTelemetry.start({ maxPageRows: 3 });
});
afterEach(() => place.stop());

const arn = (name: string) => `arn:aws:s3:::${name}`;

async function collect(kind: string, configs: Record<string, object>, account = 'A'): Promise<void> {
  place.clock.advance(1_000);
  const at = place.clock.now();
  await recordResources(place.telemetry, {
    ...{ account, kind, cloudAccount: '1', region: 'aws-global', started: at, ended: at },
    resources: Object.entries(configs).map(([name, config]) => ({
      key: arn(name),
      facts: { URN: arn(name), ACCOUNT_ID: '1' },
      config: JSON.stringify(config),
      tags: undefined,
    })),
  });
}

const query = (filter: string, source = 'LW_CFG_AWS_S3') =>
  `{ source { ${source} } filter { ${filter} } return distinct { ARN as RESOURCE_KEY, 'Bad' as COMPLIANCE_FAILURE_REASON } }`;

async function evaluate(
  queries: Record<string, string>,
  { basis = 'a', isScheduled = false, account = 'A' } = {},
): Promise<readonly PolicyEvaluation[]> {
  place.clock.advance(1_000);
  const run = { account, at: place.clock.now() };
  const policies = Object.entries(queries).map(([id, text]) => {
    const resources = resourcePolicyOf({ query: language.read(text).query, scope: undefined });
    if (!resources) throw new Error('The query names no resources.');
    return {
      ...{ ...resources, id, title: id, severity: 'High', section: 's3', basis, isScheduled, reported: 0 },
      resources: (changed: never) => resources.resources(run, changed),
      violations: (changed: never) => resources.violations(run, changed),
    };
  });
  return place.telemetry.evaluate(account, policies as never, run.at, new AbortController().signal);
}

async function stored(account = 'A', range = { start: 0, end: place.clock.now() + 1 }) {
  const search = { range, filters: [], returns: ['id', 'resource', 'status'], provider: 'aws' };
  let page = await place.telemetry.evaluations.search(account, search);
  const rows = JSON.parse(jsonArray(page));
  while (page.next !== undefined) {
    page = await place.telemetry.evaluations.nextPage(account, page.next);
    rows.push(...JSON.parse(jsonArray(page)));
  }
  return rows
    .map((row: { id: string; resource: string; status: string }) => `${row.id} ${row.resource} ${row.status}`)
    .sort();
}

const bad = { p: query('RESOURCE_CONFIG:bad = true') };

describe('how much is evaluated', () => {
  test('is everything first, then nothing, then what changed, with the same result as everything', async () => {
    await collect('LW_CFG_AWS_S3', { one: { bad: true }, two: {}, three: {} });
    expect(await evaluate(bad)).toMatchObject([{ extent: 'all', counts: { Compliant: 2, NonCompliant: 1 } }]);
    expect(await evaluate(bad)).toMatchObject([
      { extent: 'none', counts: { Compliant: 2, NonCompliant: 1 } },
    ]);
    await collect('LW_CFG_AWS_S3', { one: {}, two: { bad: true }, four: {} });
    expect(await evaluate(bad)).toMatchObject([
      { extent: 'changed', counts: { Compliant: 2, NonCompliant: 1 } },
    ]);
    const now = { start: place.clock.now() - 500, end: place.clock.now() + 1 };
    const incremental = await stored('A', now);
    expect(incremental).toEqual([
      `p ${arn('four')} Compliant`,
      `p ${arn('one')} Compliant`,
      `p ${arn('two')} NonCompliant`,
    ]);
    expect(await evaluate(bad, { basis: 'b' })).toMatchObject([{ extent: 'all' }]);
    expect(await stored('A', { start: now.end, end: place.clock.now() + 1 })).toEqual(incremental);
  });

  test('is everything if another kind, the clock or reports of hosts decide', async () => {
    await collect('LW_CFG_AWS_S3', { one: {} });
    await collect('LW_CFG_AWS_ACCOUNTS', { root: {} });
    const subquery = query('ACCOUNT_ID in { source { LW_CFG_AWS_ACCOUNTS } return { ACCOUNT_ID } }');
    const aged = query('current_timestamp_sec() > 7');
    const reported = query('ARN in { source { LW_HE_MACHINES } return { HOSTNAME } }');
    await evaluate({ subquery, aged, reported });
    await collect('LW_CFG_AWS_ACCOUNTS', { root: { changed: true } });
    const extents = async (isScheduled: boolean) =>
      (await evaluate({ subquery, aged, reported }, { isScheduled })).map(({ extent }) => extent);
    expect(await extents(false)).toEqual(['all', 'none', 'none']);
    expect(await extents(true)).toEqual(['none', 'all', 'all']);
  });

  test('is stored for what changed before everything else is read', async () => {
    await collect('LW_CFG_AWS_S3', { one: {} });
    await evaluate(bad);
    await collect('LW_CFG_AWS_S3', { one: { bad: true } });
    const results = await evaluate({ added: query('RESOURCE_CONFIG:bad = true'), ...bad });
    const revisionOf = (extent: string) => results.find((one) => one.extent === extent)?.revision;
    expect(revisionOf('all')).toBe((revisionOf('changed') ?? 0) + 1);
    expect(await stored()).toEqual([`added ${arn('one')} NonCompliant`, `p ${arn('one')} NonCompliant`]);
  });

  test('does not depend on other accounts', async () => {
    await collect('LW_CFG_AWS_S3', { one: { bad: true } });
    await collect('LW_CFG_AWS_S3', { one: {} }, 'B');
    await evaluate(bad);
    expect(await stored('B')).toEqual([]);
    await evaluate(bad, { account: 'B' });
    expect(await stored('B')).toEqual([`p ${arn('one')} Compliant`]);
    await collect('LW_CFG_AWS_S3', { one: {} });
    expect(await evaluate(bad, { account: 'B' })).toMatchObject([{ extent: 'none' }]);
  });
});

describe('what is not seen at the time of an evaluation', () => {
  test('is evaluated later: a collector may have a clock that is ahead', async () => {
    await collect('LW_CFG_AWS_S3', { one: {}, two: {} });
    await evaluate(bad);
    place.clock.advance(3_600_000);
    await collect('LW_CFG_AWS_S3', { one: { bad: true } });
    place.clock.advance(-3_600_000);
    expect(await evaluate(bad)).toMatchObject([{ counts: { Compliant: 2, NonCompliant: 0 } }]);
    place.clock.advance(3_700_000);
    expect(await evaluate(bad)).toMatchObject([
      { extent: 'changed', counts: { Compliant: 0, NonCompliant: 1 } },
    ]);
    expect(await evaluate(bad)).toMatchObject([{ extent: 'none' }]);
  });

  test('has one result for a resource that two accounts may not read for different reasons', async () => {
    const denied = async (cloudAccount: string) => {
      place.clock.advance(1_000);
      const at = place.clock.now();
      await place.telemetry.finishSnapshot(
        'A',
        { kind: 'LW_CFG_AWS_S3', cloudAccount, region: 'aws-global', started: at },
        {
          ...{ ended: at, status: 'denied', reason: '', parts: 1 },
          part: {
            ...{ number: 1, resources: [] },
            unread: [{ key: arn('shared'), status: 'denied', reason: `AccessDenied in ${cloudAccount}` }],
          },
        },
      );
    };
    await denied('1');
    await denied('2');
    const aged = { p: query('current_timestamp_sec() > 7') };
    for (let round = 0; round < 3; round++)
      expect(await evaluate(aged, { isScheduled: true })).toMatchObject([
        { extent: 'all', counts: { Compliant: 0, NonCompliant: 0, CouldNotAssess: 1 } },
      ]);
  });
});

describe('stored evaluations', () => {
  test('are found by pages, whatever is evaluated meanwhile', async () => {
    const names = [...'abcdefgh'];
    await collect('LW_CFG_AWS_S3', Object.fromEntries(names.map((name) => [name, {}])));
    await evaluate(bad);
    const search = { range: { start: 0, end: place.clock.now() + day }, filters: [], returns: ['resource'] };
    let page = await place.telemetry.evaluations.search('A', { ...search, provider: 'aws' });
    const found = JSON.parse(jsonArray(page));
    for (let round = 0; page.next !== undefined; round++) {
      await collect('LW_CFG_AWS_S3', Object.fromEntries(names.map((name) => [name, { bad: true, round }])));
      await evaluate(bad);
      page = await place.telemetry.evaluations.nextPage('A', page.next);
      found.push(...JSON.parse(jsonArray(page)));
    }
    expect(page.totalRows).toBe(8);
    expect(found.map(({ resource }: { resource: string }) => resource).sort()).toEqual(names.map(arn));
  });

  test('survive a restart, and are removed with the retention and with the account', async () => {
    await collect('LW_CFG_AWS_S3', { one: { bad: true }, two: {} });
    await evaluate(bad);
    await place.restart();
    expect(await stored()).toEqual([`p ${arn('one')} NonCompliant`, `p ${arn('two')} Compliant`]);
    expect(await evaluate(bad)).toMatchObject([{ extent: 'none' }]);
    await collect('LW_CFG_AWS_S3', { one: {}, two: {} });
    await evaluate(bad);
    const before = { start: 0, end: place.clock.now() - 500 };
    expect(await stored('A', before)).toContain(`p ${arn('one')} NonCompliant`);
    place.clock.advance(day);
    await place.telemetry.deleteBefore(place.clock.now());
    expect(await stored('A', before)).toEqual([]);
    await evaluate(bad, { isScheduled: true });
    expect(await stored()).toEqual([`p ${arn('one')} Compliant`, `p ${arn('two')} Compliant`]);
    await place.telemetry.deleteAccount('A');
    expect(await stored()).toEqual([]);
  });

  test('continue after the account with the last changes is deleted', async () => {
    await collect('LW_CFG_AWS_S3', { one: {} });
    for (const round of [1, 2, 3]) await collect('LW_CFG_AWS_S3', { one: { round } }, 'B');
    await evaluate(bad);
    await place.telemetry.deleteAccount('B');
    await place.restart();
    await collect('LW_CFG_AWS_S3', { one: { bad: true } });
    expect(await evaluate(bad)).toMatchObject([{ extent: 'changed', counts: { NonCompliant: 1 } }]);
  });
});

describe('findings', () => {
  const findings = async (policy: string) => {
    const query = {
      ...({
        account: 'A',
        provider: 'aws',
        cloudAccount: '1',
        parent: undefined,
        policies: [policy],
      } as const),
      ...{ at: place.clock.now(), earlier: [], maxListed: 250_000 },
    };
    return JSON.parse((await place.telemetry.evaluations.findings(query)) ?? '') as PostureFindings;
  };
  const withReason = (reason: string) => ({
    long: `{ source { LW_CFG_AWS_S3 } return distinct { ARN as RESOURCE_KEY, '${reason}' as COMPLIANCE_FAILURE_REASON } }`,
  });

  test('have reasons of at most 1,000 characters, as they are stored', async () => {
    await collect('LW_CFG_AWS_S3', { one: {} });
    await evaluate(withReason('é'.repeat(3_000)));
    const search = { range: { start: 0, end: place.clock.now() + 1 }, filters: [], returns: ['reason'] };
    const page = await place.telemetry.evaluations.search('A', { ...search, provider: 'aws' });
    expect(JSON.parse(jsonArray(page))).toEqual([{ reason: 'é'.repeat(1_000) }]);
    expect((await findings('long')).listed).toMatchObject([{ reason: 'é'.repeat(1_000) }]);
  });

  test('have reasons of at most 1,000 characters of what could not be read', async () => {
    await collect('LW_CFG_AWS_ACCOUNTS', { root: {} });
    const started = place.clock.now();
    const id = { kind: 'LW_CFG_AWS_S3', cloudAccount: '1', region: 'aws-global', started };
    const end = { ended: started, status: 'denied', reason: 'x'.repeat(3_000), parts: 0 } as const;
    await place.telemetry.finishSnapshot('A', id, end);
    await evaluate(bad);
    const { listed } = await findings('p');
    expect(listed.map(({ status, reason }) => [status, reason.length])).toEqual([['CouldNotAssess', 1_000]]);
  });

  test('that exceed the memory limit are refused, and others continue', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `bucket-${at}`);
    await collect('LW_CFG_AWS_S3', Object.fromEntries(names.map((name) => [name, {}])));
    await evaluate(withReason('x'.repeat(1_000)));
    await place.restart({ limits: { memory: '40MB', threads: 2 } });
    await expect(findings('long')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('VEDETTE_TELEMETRY_MEMORY'),
    });
    expect((await findings('another')).listed).toEqual([]);
  });
});

test('a query without a key names no resources', () => {
  const { query: read } = language.read('{ source { LW_CFG_AWS_S3 } return { ARN } }');
  expect(resourcePolicyOf({ query: read, scope: undefined })).toBeUndefined();
});

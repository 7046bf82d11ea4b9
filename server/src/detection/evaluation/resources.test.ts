import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonArray } from '../../search/page.ts';
import type { ScopeStatus, UnreadResource } from '../../telemetry/snapshot.ts';
import { TestDetection } from '../../testing/detection.ts';
import { Exceptions } from '../exceptions/exceptions.ts';

let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

const accountId = '123456789012';
const arn = (name: string) => `arn:aws:s3:::${name}`;
const returned = `return distinct { ACCOUNT_ID, ARN as RESOURCE_KEY, RESOURCE_REGION, 'Public' as COMPLIANCE_FAILURE_REASON }`;
const open = `{ source { LW_CFG_AWS_S3 } filter { RESOURCE_CONFIG:public = true } ${returned} }`;
const withoutAcl = `{ source { LW_CFG_AWS_S3 b with LW_CFG_AWS_S3_GET_BUCKET_ACL a } filter { not value_exists(a.RESOURCE_CONFIG:Grants) }
  return distinct { b.ACCOUNT_ID, b.ARN as RESOURCE_KEY, b.RESOURCE_REGION, 'NoAcl' as COMPLIANCE_FAILURE_REASON } }`;
const withoutTrail = `{ source { LW_CFG_AWS_ACCOUNTS } filter { not (ACCOUNT_ID in { source { LW_CFG_AWS_CLOUDTRAIL } return { ACCOUNT_ID } }) }
  return distinct { ACCOUNT_ID, ACCOUNT_ID as RESOURCE_KEY, RESOURCE_REGION, 'NoTrail' as COMPLIANCE_FAILURE_REASON } }`;
const compliance = { policyType: 'Compliance', alertProfile: 'LW_CFG_AWS_DEFAULT_PROFILE.CFG_AWS_Violation' };

interface Attempt {
  readonly status?: ScopeStatus;
  readonly reason?: string;
  readonly region?: string;
  readonly unread?: readonly UnreadResource[];
}

/** Ends a collection of a kind: the resources by name with their configurations. */
async function collect(kind: string, configs: Record<string, object>, attempt: Attempt = {}): Promise<void> {
  const { region = 'aws-global', status, reason = '', unread = [] } = attempt;
  place.clock.advance(1_000);
  const started = place.clock.now();
  const resources = Object.entries(configs).map(([name, config]) => ({
    key: arn(name),
    facts: { URN: arn(name), ACCOUNT_ID: accountId, ACCOUNT_ALIAS: 'shop', RESOURCE_REGION: 'eu-west-1' },
    config: JSON.stringify(config),
    tags: undefined,
  }));
  const isEmpty = resources.length === 0 && unread.length === 0;
  await place.telemetry.finishSnapshot(
    place.account,
    { kind, cloudAccount: accountId, region, started },
    {
      ...{ ended: started, status: status ?? (isEmpty ? 'empty' : 'collected'), reason },
      ...(isEmpty ? { parts: 0 } : { parts: 1, part: { number: 1, resources, unread } }),
    },
  );
}

/** Runs what is due, after the time for which new resources are left to settle. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    place.clock.advance(20_000);
    await place.tick();
  }
}

interface Shown {
  readonly resource: string;
  readonly status: string;
  readonly reason: string;
  readonly since: string;
  readonly exceptionId?: string;
}

async function evaluations(range = { start: 0, end: place.clock.now() + 1 }): Promise<Shown[]> {
  const query = { range, filters: [], returns: undefined, provider: 'aws' };
  const page = await place.telemetry.evaluations.search(place.account, query);
  return (JSON.parse(jsonArray(page)) as Shown[]).sort((one, other) =>
    one.resource < other.resource ? -1 : 1,
  );
}

const statuses = async (range?: { start: number; end: number }) =>
  Object.fromEntries((await evaluations(range)).map(({ resource, status }) => [resource, status]));

describe('evaluations of resources', () => {
  test('have a result for every resource, which changes with the resource and has its own time', async () => {
    await collect('LW_CFG_AWS_S3', { one: { public: true }, two: {} });
    const policyId = await place.policy('bucket', open, compliance);
    await settle();
    const [first, second] = await evaluations();
    expect(first).toEqual({
      account: { AccountId: accountId, Account_Alias: 'shop' },
      ...{ evalType: 'LW_SA', id: policyId, reason: 'Public', recommendation: 'Title of bucket' },
      ...{ region: 'eu-west-1', resource: arn('one'), section: '', severity: 'High', status: 'NonCompliant' },
      reportTime: expect.any(String),
      since: expect.any(String),
    });
    expect(second).toMatchObject({ resource: arn('two'), status: 'Compliant', reason: '' });
    const before = place.clock.now();
    await collect('LW_CFG_AWS_S3', { one: {}, two: {} });
    await settle();
    expect(await statuses()).toEqual({ [arn('one')]: 'Compliant', [arn('two')]: 'Compliant' });
    expect(await statuses({ start: 0, end: before })).toEqual({
      [arn('one')]: 'NonCompliant',
      [arn('two')]: 'Compliant',
    });
    const [mended, unchanged] = await evaluations();
    expect(Date.parse(mended?.since ?? '')).toBeGreaterThan(before);
    expect(Date.parse(unchanged?.since ?? '')).toBeLessThan(before);
  });

  test('end with the resource', async () => {
    await collect('LW_CFG_AWS_S3', { one: { public: true }, two: {} });
    await place.policy('bucket', open, compliance);
    await settle();
    const before = place.clock.now();
    await collect('LW_CFG_AWS_S3', { two: {} });
    await settle();
    expect(await statuses({ start: before + 5_000, end: place.clock.now() + 1 })).toEqual({
      [arn('two')]: 'Compliant',
    });
    const [violation] = await place.store.read.selectFrom('violations').selectAll().execute();
    expect(violation).toBeUndefined();
  });

  test('name the exception that suppresses a violation', async () => {
    await collect('LW_CFG_AWS_S3', { one: { public: true }, two: { public: true } });
    const policyId = await place.policy('bucket', open, compliance);
    await settle();
    const exceptions = new Exceptions({ store: place.store, clock: place.clock, policies: place.policies });
    const { exceptionId } = await exceptions.create(
      place.actor,
      { scope: place.scope, policyId },
      { constraints: [{ fieldKey: 'resourceNames', fieldValues: [arn('one')] }] },
    );
    await settle();
    expect((await evaluations()).map(({ status, exceptionId: id }) => [status, id])).toEqual([
      ['Suppressed', exceptionId],
      ['NonCompliant', undefined],
    ]);
  });
});

describe('what was not seen', () => {
  test('is not assessed, neither accused nor passed, until it is seen', async () => {
    await collect('LW_CFG_AWS_ACCOUNTS', { account: {} });
    await collect('LW_CFG_AWS_CLOUDTRAIL', {}, { region: 'eu-west-1' });
    await collect(
      'LW_CFG_AWS_CLOUDTRAIL',
      {},
      { region: 'us-east-1', status: 'denied', reason: 'AccessDenied' },
    );
    await place.policy('trail', withoutTrail, compliance);
    await settle();
    expect(await evaluations()).toMatchObject([
      {
        resource: accountId,
        status: 'CouldNotAssess',
        reason: 'LW_CFG_AWS_CLOUDTRAIL could not be read: AccessDenied',
      },
    ]);
    expect(await place.alerts()).toEqual([]);
    await collect('LW_CFG_AWS_CLOUDTRAIL', {}, { region: 'us-east-1' });
    await settle();
    expect(await statuses()).toEqual({ [accountId]: 'NonCompliant' });
    await collect('LW_CFG_AWS_CLOUDTRAIL', { trail: {} }, { region: 'us-east-1' });
    await settle();
    expect(await statuses()).toEqual({ [accountId]: 'Compliant' });
  });

  test('includes kinds that were never collected, and resources that could not be read', async () => {
    await collect('LW_CFG_AWS_S3', { one: {}, two: {} });
    await place.policy('acl', withoutAcl, compliance);
    await settle();
    expect((await evaluations()).map(({ status, reason }) => [status, reason])).toEqual([
      ['CouldNotAssess', 'LW_CFG_AWS_S3_GET_BUCKET_ACL was not collected.'],
      ['CouldNotAssess', 'LW_CFG_AWS_S3_GET_BUCKET_ACL was not collected.'],
    ]);
    await collect(
      'LW_CFG_AWS_S3_GET_BUCKET_ACL',
      { one: { Grants: [] } },
      { status: 'denied', unread: [{ key: arn('two'), status: 'denied', reason: 'AccessDenied' }] },
    );
    await settle();
    expect((await evaluations()).map(({ status, reason }) => [status, reason])).toEqual([
      ['Compliant', ''],
      ['CouldNotAssess', 'LW_CFG_AWS_S3_GET_BUCKET_ACL could not be read: AccessDenied'],
    ]);
  });

  test('has an evaluation of its own if no resource of the kind is known', async () => {
    await collect('LW_CFG_AWS_S3', {}, { status: 'denied', reason: 'AccessDenied', region: 'aws-global' });
    await place.policy('bucket', open, compliance);
    await place.policy('trail', withoutTrail, compliance);
    await settle();
    expect((await evaluations()).map(({ resource, status, reason }) => [resource, status, reason])).toEqual([
      [`${accountId} LW_CFG_AWS_ACCOUNTS`, 'CouldNotAssess', 'LW_CFG_AWS_ACCOUNTS was not collected.'],
      [`${accountId} aws-global`, 'CouldNotAssess', 'LW_CFG_AWS_S3 could not be read: AccessDenied'],
    ]);
  });

  test('keeps a violation open that can no longer be seen', async () => {
    await collect('LW_CFG_AWS_S3', { one: { public: true } });
    await place.policy('bucket', open, compliance);
    await settle();
    expect(await place.alerts()).toHaveLength(1);
    await collect('LW_CFG_AWS_S3', {}, { status: 'failed', reason: 'timeout' });
    await settle();
    expect((await statuses())[arn('one')]).toBe('CouldNotAssess');
    await collect('LW_CFG_AWS_S3', { one: { public: true } });
    await settle();
    expect((await statuses())[arn('one')]).toBe('NonCompliant');
    expect(await place.alerts()).toHaveLength(1);
    expect((await place.timeline()).filter(({ entry_type }) => entry_type === 'ClearedViolations')).toEqual(
      [],
    );
  });
});

describe('a violation', () => {
  const violations = async () =>
    (await place.store.read.selectFrom('violations').select('key').execute()).map(({ key }) => key);

  test.each([
    ['was corrected', { one: {} }],
    ['is gone', {}],
  ])('that could not be seen for a while ends when its resource %s', async (_, configs) => {
    await collect('LW_CFG_AWS_S3', { one: { public: true } });
    await place.policy('bucket', open, compliance);
    await settle();
    await collect('LW_CFG_AWS_S3', {}, { status: 'failed', reason: 'timeout' });
    await settle();
    expect(await violations()).toHaveLength(1);
    await collect('LW_CFG_AWS_S3', configs);
    await settle();
    expect(await violations()).toEqual([]);
  });

  test('is recorded although the service stopped between the evaluation and the alert', async () => {
    await collect('LW_CFG_AWS_S3', { one: {} });
    await place.policy('bucket', open, compliance);
    await settle();
    const [row] = await place.store.read.selectFrom('evaluations').selectAll().execute();
    await collect('LW_CFG_AWS_S3', { one: { public: true } });
    await settle();
    await place.store.housekeeping(async (tx) => {
      await tx.deleteFrom('violations').execute();
      await tx
        .updateTable('evaluations')
        .set({ sequence: row?.sequence ?? 0 })
        .execute();
    });
    const scheduler = place.another();
    place.clock.advance(1_000);
    await place.tick(scheduler);
    expect(await violations()).toHaveLength(1);
    await scheduler.stop();
  });

  test('of thousands, some of them exempt and with long rows, is neither lost nor repeated', async () => {
    const names = Array.from({ length: 1_100 }, (_, index) => `b${index}`);
    const filler = 'x'.repeat(20_000);
    const config = (name: string) => ({ public: true, ...(Number(name.slice(1)) % 2 === 0 && { filler }) });
    await collect('LW_CFG_AWS_S3', Object.fromEntries(names.map((name) => [name, config(name)])));
    const withConfig = open.replace('RESOURCE_REGION,', 'RESOURCE_REGION, RESOURCE_CONFIG,');
    const policyId = await place.policy('bucket', withConfig, compliance);
    await settle();
    expect(new Set(await violations()).size).toBe(1_100);
    const exceptions = new Exceptions({ store: place.store, clock: place.clock, policies: place.policies });
    await exceptions.create(
      place.actor,
      { scope: place.scope, policyId },
      { constraints: [{ fieldKey: 'resourceNames', fieldValues: [arn('b1*')] }] },
    );
    await settle();
    const { counts } = await place.store.read
      .selectFrom('evaluations')
      .select('counts')
      .executeTakeFirstOrThrow();
    const exempt = names.filter((name) => name.startsWith('b1')).length;
    expect(JSON.parse(counts ?? '')).toMatchObject({ violations: 1_100, exempt });
  });
});

describe('a policy', () => {
  test('over all kinds is evaluated again when a resource of any kind changes', async () => {
    await collect('LW_CFG_AWS_S3', { one: {} });
    await collect('LW_CFG_AWS_CLOUDTRAIL', { trail: {} });
    await place.policy('any', open.replace('LW_CFG_AWS_S3', 'LW_CFG_AWS_ALL'), compliance);
    await settle();
    expect(await statuses()).toEqual({ [arn('one')]: 'Compliant', [arn('trail')]: 'Compliant' });
    await collect('LW_CFG_AWS_CLOUDTRAIL', { trail: { public: true } });
    await settle();
    expect(await statuses()).toEqual({ [arn('one')]: 'Compliant', [arn('trail')]: 'NonCompliant' });
  });

  test('that is deleted has no results from then on, and another one with its id begins anew', async () => {
    await collect('LW_CFG_AWS_S3', { one: { public: true } });
    const policyId = await place.policy('bucket', open, compliance);
    await settle();
    const at = place.clock.now();
    await place.telemetry.endEvaluations({ ownerId: place.account, policyId, at });
    expect(await statuses({ start: at + 1, end: at + 2 })).toEqual({});
    expect(await statuses({ start: 0, end: at })).toEqual({ [arn('one')]: 'NonCompliant' });
    const scheduler = place.another();
    await place.store.housekeeping((tx) => tx.deleteFrom('evaluations').execute());
    place.clock.advance(1_000);
    await place.tick(scheduler);
    expect(await statuses({ start: at + 1, end: place.clock.now() + 1 })).toEqual({
      [arn('one')]: 'NonCompliant',
    });
    await scheduler.stop();
  });
});

describe('the first evaluation of a cloud account', () => {
  test('raises one alert for each severity, and later violations alert by policy', async () => {
    const scheduler = place.another({ firstEvaluation: 'summary' });
    const rounds = async () => {
      for (let round = 0; round < 3; round++) {
        place.clock.advance(20_000);
        await place.tick(scheduler);
      }
    };
    await place.policy('bucket', open, compliance);
    const other = await place.policy('trail', withoutTrail, compliance);
    await collect('LW_CFG_AWS_ACCOUNTS', { account: {} });
    await collect('LW_CFG_AWS_CLOUDTRAIL', { trail: {} });
    await collect('LW_CFG_AWS_S3', { one: { public: true }, two: { public: true } });
    await rounds();
    const [first, ...others] = await place.alerts();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ policy_id: 'first-evaluation-high', violations: 2, severity: 'High' });
    place.clock.advance(2 * 3_600_000);
    await collect('LW_CFG_AWS_CLOUDTRAIL', {});
    await rounds();
    expect((await place.alerts()).map(({ policy_id }) => policy_id).sort()).toEqual(
      ['first-evaluation-high', other].sort(),
    );
    await scheduler.stop();
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { files } from '../../telemetry/datasets/Files.ts';
import { recordResources } from '../../telemetry/snapshot.sample.ts';
import { TestDetection } from '../../testing/detection.ts';
import { Exceptions } from '../exceptions/exceptions.ts';

const hour = 3_600_000;
let place: TestDetection;
let exceptions: Exceptions;
beforeEach(async () => {
  place = await TestDetection.start();
  exceptions = new Exceptions({ store: place.store, clock: place.clock, policies: place.policies });
});
afterEach(() => place.stop());

const openBuckets = `{ source { LW_CFG_AWS_S3 } filter { RESOURCE_CONFIG:public = true }
  return distinct { ACCOUNT_ID, ARN as RESOURCE_KEY, RESOURCE_REGION, RESOURCE_TYPE, 'Public' as COMPLIANCE_FAILURE_REASON } }`;
const compliance = { policyType: 'Compliance', alertProfile: 'LW_CFG_AWS_DEFAULT_PROFILE.CFG_AWS_Violation' };

const arn = (name: string) => `arn:aws:s3:::${name}`;

/** Stores the current inventory of buckets: public and private ones, by name. */
async function collect(open: readonly string[], closed: readonly string[] = []): Promise<void> {
  place.clock.advance(1_000);
  const at = place.clock.now();
  const bucket = (name: string, isPublic: boolean) => ({
    key: arn(name),
    facts: {
      ...{ URN: arn(name), ACCOUNT_ID: '123456789012', RESOURCE_ID: name },
      ...{ RESOURCE_REGION: 'eu-west-1', RESOURCE_TYPE: 's3:bucket' },
    },
    config: JSON.stringify({ public: isPublic }),
    tags: '{}',
  });
  await recordResources(place.telemetry, {
    ...{
      account: place.account,
      kind: 'LW_CFG_AWS_S3',
      cloudAccount: '123456789012',
      started: at,
      ended: at,
    },
    resources: [...open.map((name) => bucket(name, true)), ...closed.map((name) => bucket(name, false))],
  });
}

/** Longer than the delay for changes of an inventory. */
async function minute(): Promise<void> {
  for (let second = 0; second < 60; second += 20) {
    place.clock.advance(19_000);
    await place.tick();
  }
}

const messages = async () => (await place.timeline()).map(({ entry_type, message }) => [entry_type, message]);

describe('a policy on the state of resources', () => {
  test('alerts once on new violations and records resolved ones', async () => {
    await collect(['one', 'two'], ['three']);
    const policyId = await place.policy('bucket', openBuckets, compliance);
    await place.tick();
    const [alert] = await place.alerts();
    expect(alert).toMatchObject({ policy_id: policyId, alert_type: 'NewViolations', violations: 2 });
    expect(JSON.parse(alert?.alert_info ?? '').subject).toMatch(
      /^Title of bucket: S3 bucket (one|two) in account 123456789012 \(eu-west-1\), and 1 more$/,
    );
    expect(JSON.parse(alert?.entity_map ?? '')).toMatchObject({
      Region: [{ KEY: { region: 'eu-west-1' } }],
      ViolationReason: [{ KEY: { reason: 'Public' } }],
    });
    for (let round = 0; round < 3; round++) {
      place.clock.advance(hour);
      await place.tick();
    }
    expect(await place.alerts()).toHaveLength(1);
    expect((await place.evaluations())[0]).toMatchObject({
      failures: 0,
      counts: JSON.stringify({ violations: 2, exempt: 0, told: 0, cleared: 0 }),
    });
    await collect(['two', 'three'], ['one']);
    await minute();
    expect((await place.violations()).map(({ key, alert_id }) => [key, alert_id])).toEqual([
      [arn('three'), 2],
      [arn('two'), 1],
    ]);
    expect(await messages()).toContainEqual(['ClearedViolations', expect.stringContaining(arn('one'))]);
    await collect(['one', 'two', 'three']);
    await minute();
    expect((await place.alerts()).map(({ violations }) => violations)).toEqual([2, 2]);
  });

  test('is evaluated hourly or daily, each policy at its own minute', async () => {
    await collect(['one']);
    for (let at = 0; at < 12; at++) {
      await place.policy(`bucket-${at}`, openBuckets, {
        ...compliance,
        evalFrequency: at % 2 === 0 ? 'Hourly' : 'Daily',
      });
    }
    await place.tick();
    const rows = await place.evaluations();
    const now = place.clock.now();
    expect(rows.every(({ due_at }) => due_at > now && due_at <= now + 24 * hour)).toBe(true);
    expect(rows.filter(({ due_at }) => due_at <= now + hour).length).toBeGreaterThanOrEqual(6);
    expect(new Set(rows.map(({ due_at }) => due_at % hour)).size).toBe(12);
  });

  test('is evaluated again when its query, exceptions or alerting change, and only alerts on new violations', async () => {
    await collect(['one', 'two']);
    const policyId = await place.policy('bucket', openBuckets, { ...compliance, alertEnabled: false });
    await place.tick();
    expect(await place.alerts()).toEqual([]);
    expect(await place.violations()).toHaveLength(2);
    await place.policies.change(place.actor, place.scope, policyId, { alertEnabled: true });
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 2 }]);
    place.clock.advance(hour);
    await place.tick();
    await place.queries.change(place.actor, 'Q_bucket', {
      queryText: openBuckets.replace("'Public'", "'Open'"),
    });
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 2 }]);
    expect((await messages()).filter(([type]) => type === 'ClearedViolations')).toEqual([]);
  });

  test('skips resources of an exception, and alerts on them again when the exception ends', async () => {
    await collect(['one', 'two']);
    const policyId = await place.policy('bucket', openBuckets, compliance);
    await place.tick();
    const set = { scope: place.scope, policyId };
    const { exceptionId } = await exceptions.create(place.actor, set, {
      constraints: [{ fieldKey: 'arns', fieldValues: [arn('one')] }],
      expiresAt: new Date(place.clock.now() + 2 * hour).toISOString(),
    });
    await place.tick();
    expect(
      (await place.violations()).map(({ key, alert_id, exception_id }) => [key, alert_id, exception_id]),
    ).toEqual([
      [arn('one'), null, exceptionId],
      [arn('two'), 1, null],
    ]);
    expect(await messages()).toContainEqual(['ClearedViolations', expect.stringContaining(arn('one'))]);
    for (let round = 0; round < 2; round++) {
      place.clock.advance(50 * 60_000);
      await place.tick();
    }
    expect(await place.alerts()).toHaveLength(1);
    place.clock.advance(30 * 60_000);
    await place.tick();
    expect(await place.alerts()).toMatchObject([{ violations: 2 }, { violations: 1 }]);
    expect(await place.violations()).toMatchObject([
      { key: arn('one'), alert_id: 2, exception_id: null },
      { key: arn('two'), alert_id: 1, exception_id: null },
    ]);
  });

  test('keeps its violations while it is disabled', async () => {
    await collect(['one']);
    const policyId = await place.policy('bucket', openBuckets, compliance);
    await place.tick();
    await place.policies.change(place.actor, place.scope, policyId, { enabled: false });
    await place.tick();
    place.clock.advance(2 * hour);
    await place.policies.change(place.actor, place.scope, policyId, { enabled: true });
    await place.tick();
    expect(await place.alerts()).toHaveLength(1);
    expect(await place.evaluations()).toHaveLength(1);
  });
});

describe('a policy on host reports', () => {
  test('recognises an entity that is only reported again, even if its host is renamed', async () => {
    const mid = 9_007_199_254_740_993n;
    const report = async (permissions: number) => {
      const createdTime = new Date(place.clock.now()).toISOString();
      const record = JSON.stringify({
        ...{ createdTime, mid: 0, filePath: '/etc/shadow', filedataHash: 'aa', size: 1, mtime: '1' },
        filePermissions: permissions,
      }).replace('"mid":0', `"mid":${mid}`);
      await place.telemetry.intake.ingest({
        ...{ account: place.account, dataset: files, form: 'lines', body: record },
        idempotencyKey: undefined,
      });
    };
    await place.policy(
      'file',
      `{ source { LW_HE_FILES } filter { FILE_PERMISSIONS > 640 }
         return { RECORD_CREATED_TIME, MID, PATH, FILE_PERMISSIONS } }`,
      { alertProfile: 'LW_HE_FILES_DEFAULT_PROFILE.HE_File_NewViolation' },
    );
    await report(644);
    await place.tick();
    for (let round = 0; round < 4; round++) {
      place.clock.advance(hour);
      await report(644);
      await place.tick();
    }
    const [alert, ...others] = await place.alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ alert_type: 'HE_File_NewViolation', violations: 1 });
    expect(JSON.parse(alert?.entity_map ?? '')).toEqual({
      Machine: [{ KEY: { mid: String(mid) }, PROPS: {} }],
      File: [{ KEY: { path: '/etc/shadow' }, PROPS: { mid: String(mid) } }],
    });
    expect(await place.violations()).toMatchObject([{ name: `/etc/shadow on ${mid}` }]);
    place.clock.advance(hour);
    await report(666);
    await place.tick();
    expect(await place.alerts()).toHaveLength(2);
    for (let round = 0; round < 25; round++) {
      place.clock.advance(hour);
      await place.tick();
    }
    expect(await place.violations()).toEqual([]);
    expect((await messages()).filter(([type]) => type === 'ClearedViolations')).toHaveLength(2);
  });

  test('is evaluated within 20 seconds of a batch, then every five minutes while batches keep coming', async () => {
    const report = (name: string) =>
      place.take(files, [
        {
          ...{ createdTime: new Date(place.clock.now()).toISOString(), mid: 1, filePath: `/etc/${name}` },
          ...{ filedataHash: 'aa', size: 1, mtime: '1', filePermissions: 666 },
        },
      ]);
    await place.policy(
      'file',
      `{ source { LW_HE_FILES } filter { FILE_PERMISSIONS > 640 } return { RECORD_CREATED_TIME, MID, PATH } }`,
    );
    await report('first');
    await place.tick();
    const known = async () => (await place.violations()).length;
    expect(await known()).toBe(1);
    place.clock.advance(10 * 60_000);
    await report('second');
    const counts: number[] = [];
    for (let round = 0; round < 160; round++) {
      await place.tick();
      counts.push(await known());
      if (round >= 10 && round % 15 === 0) await report(`more-${round}`);
    }
    // A round takes two seconds.
    const when = (count: number) => counts.findIndex((value) => value >= count) * 2;
    expect(when(2)).toBeLessThanOrEqual(20);
    expect(when(3)).toBeGreaterThanOrEqual(300);
    expect(counts.at(-1)).toBeGreaterThanOrEqual(10);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { jsonArray } from '../../search/page.ts';
import { FakeAws, failure, xml } from '../../testing/fake-aws.ts';
import { TestTelemetry } from '../../testing/telemetry.ts';
import { Collector } from './collector.ts';
import { Scans } from './scans.ts';

const account = '123456789012';
const day = 24 * 3_600_000;

let place: TestTelemetry;
let aws: FakeAws;
beforeEach(async () => {
  [place, aws] = [await TestTelemetry.start(), await FakeAws.start()];
  process.env.AWS_ENDPOINT_URL = aws.receiver.url.replace('127.0.0.1', 'localhost');
  aws.on('sts GetCallerIdentity', () =>
    xml(
      `<R><GetCallerIdentityResult><Account>${account}</Account><Arn>arn:aws-us-gov:iam::${account}:user/u</Arn></GetCallerIdentityResult></R>`,
    ),
  );
  aws.on('ec2 DescribeRegions', () =>
    xml('<R><regionInfo><item><regionName>us-gov-west-1</regionName></item></regionInfo></R>'),
  );
  aws.on('ec2 DescribeInstances', () =>
    xml(
      '<R><reservationSet><item><instancesSet><item><instanceId>i-1</instanceId></item></instancesSet></item></reservationSet></R>',
    ),
  );
  aws.before = (call) =>
    /GetCallerIdentity|DescribeRegions|DescribeInstances$/.test(call.name)
      ? undefined
      : failure(call, 403, 'AccessDenied', `${call.name} is not allowed`);
});
afterEach(async () => {
  delete process.env.AWS_ENDPOINT_URL;
  await aws.close();
  await place.stop();
});

const collector = (name = 'here') =>
  new Collector({
    ...{ store: place.store, keyring: place.keyring, telemetry: place.telemetry, clock: place.clock },
    ...{ log: createLog('silent'), place: name, allowsPrivate: true, share: 1 },
  });

async function addIntegration(id = 'I', owner_id = 'A'): Promise<void> {
  const accessKeyCredentials = { accountId: account, accessKeyId: 'AKIA', secretAccessKey: 'x' };
  await place.store.housekeeping((tx) =>
    tx
      .insertInto('integrations')
      .values({
        ...{
          id,
          owner_id,
          family: 'CloudAccounts',
          type: 'AwsUsGovCfg',
          subtype: null,
          name: id,
          enabled: 1,
        },
        ...{ is_org: 0, is_default: 0, data: JSON.stringify({ accessKeyCredentials }), secrets: null },
        ...{
          props: null,
          state: null,
          server_token: null,
          server_token_fingerprint: null,
          identity: account,
        },
        ...{ updated_at: place.clock.now() - 10_000, updated_by: 'admin' },
      })
      .execute(),
  );
}

/** As the system does when it runs out of memory. */
function killCollectors(): void {
  const commandOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  const parentOf = (pid: string) => {
    try {
      return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    } catch {
      return undefined;
    }
  };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (parentOf(pid) === process.pid && commandOf(pid).includes('collector-process'))
      process.kill(Number(pid), 'SIGKILL');
}

const stateOf = async (id = 'I') => {
  const { state } = await place.store.read
    .selectFrom('integrations')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return JSON.parse(state ?? 'null');
};

/** Ids of the stored resources of an account. */
async function stored(owner = 'A'): Promise<string[]> {
  const range = { start: 0, end: Date.now() + day };
  const page = await place.telemetry.resources.search(owner, {
    ...{ range, filters: [], returns: ['resourceId'], provider: 'aws' },
  });
  return (JSON.parse(jsonArray(page)) as { resourceId: string }[]).map(({ resourceId }) => resourceId);
}

/** Calls a second of some APIs, documented or not. */
const rates: Readonly<Record<string, number>> = { ec2: 20, ecs: 20, lambda: 15, eks: 5, dynamodb: 5, iam: 5 };

/** Throttles 10 % of the calls, lets 5 % fail and 1 % hang, and counts those of each API. */
function injectFaults() {
  const { before } = aws;
  const runs: { readonly started: number; readonly times: Map<string, number[]> }[] = [];
  const faults = {
    calls: 0,
    startRun({ hangs }: { hangs: boolean }): void {
      faults.calls = 0;
      const times = new Map<string, number[]>();
      runs.push({ started: performance.now(), times });
      aws.before = (call) => {
        const api = `${call.service} ${call.region}`;
        times.set(api, [...(times.get(api) ?? []), performance.now()]);
        const number = ++faults.calls % 100;
        if (number % 10 === 5)
          return failure(call, 400, call.service === 'ec2' ? 'RequestLimitExceeded' : 'ThrottlingException');
        if (number % 20 === 8) return failure(call, 500, 'InternalError');
        return hangs && number === 22 ? 'hang' : before(call);
      };
    },
    /** APIs that got more calls than their budget allows: in each process one at once, then as many as its rate. */
    beyondBudget(): string[] {
      return runs.flatMap(({ started, times }) =>
        [...times].flatMap(([api, all]) => {
          const perSecond = rates[api.split(' ')[0] ?? ''] ?? Number.POSITIVE_INFINITY;
          const seconds = ((all.at(-1) ?? started) - started) / 1_000;
          return all.length > 1 + seconds * perSecond ? [`${api}: ${all.length} in ${seconds} s`] : [];
        }),
      );
    },
  };
  return faults;
}

describe('an integration', () => {
  test('is collected once it is created, then daily; its state says what was read and denied', async () => {
    await addIntegration();
    const node = collector();
    await node.poll();
    await node.idle();
    expect(await stored()).toContain('i-1');
    expect(await stored('B')).toEqual([]);
    const state = await stateOf();
    expect(state).toMatchObject({ ok: true, lastUpdatedTime: place.clock.now() });
    expect(state.details.message).toMatch(
      /^\d+ resources were read in \d+ kinds and regions; \d+ were denied/,
    );
    expect(state.details.denied).toBeGreaterThan(50);
    expect(state.details.missingPermissions).toContain('ec2:DescribeVpcs');
    expect(state.details.gaps[0]).toMatchObject({ status: 'denied' });
    aws.forget();
    await node.poll();
    await node.idle();
    expect(aws.calls).toEqual([]);
    place.clock.advance(day);
    await node.poll();
    expect(node.running).toBe(1);
    await node.stop();
  });

  test('goes on where it was interrupted, on another node too', async () => {
    const { before } = aws;
    aws.before = (call) => (call.name === 'DescribeVpcs' ? 'hang' : before(call));
    await addIntegration();
    const node = collector();
    await node.poll();
    while (!aws.names().includes('ec2 DescribeInstances') || !aws.names().includes('ec2 DescribeVpcs'))
      await new Promise((resolve) => setTimeout(resolve, 50));
    const progressed = async () => {
      const row = await place.store.read.selectFrom('collections').selectAll().executeTakeFirstOrThrow();
      return row;
    };
    await node.stop();
    const row = await progressed();
    expect(row).toMatchObject({ node: null, lease_until: null, ended_at: null });
    const { done } = JSON.parse(row.progress) as { done: Record<string, string[]> };
    aws.calls.length = 0;
    aws.before = before;
    const other = collector('there');
    await other.poll();
    await other.idle();
    expect(await stateOf()).toMatchObject({ ok: true });
    const again = new Set(aws.calls.map(({ service, name }) => `${service}/${name} us-gov-west-1`));
    // Lists that another reading needs too.
    const isShared = (id: string) => /DescribeSnapshots|ListFunctions/.test(id);
    expect((done[account] ?? []).filter((id) => again.has(id) && !isShared(id))).toEqual([]);
    expect(again).toContain('ec2/DescribeVpcs us-gov-west-1');
  });

  test('is complete although calls are throttled, fail and hang, and its process is killed twice', async () => {
    const undisturbed = collector();
    await addIntegration('I', 'A');
    await undisturbed.poll();
    await undisturbed.idle();
    const expected = (await stateOf()).details;
    await addIntegration('J', 'B');
    const node = collector('there');
    const faults = injectFaults();
    for (let kills = 0; kills < 2; kills++) {
      faults.startRun({ hangs: true });
      await node.poll();
      await expect.poll(() => faults.calls).toBeGreaterThan(30);
      killCollectors();
      await node.idle();
      expect(await stateOf('J')).toBeNull();
    }
    faults.startRun({ hangs: false });
    await node.poll();
    await node.idle();
    expect((await stateOf('J')).details).toMatchObject({
      ...{ message: expected.message, denied: expected.denied, collected: expected.collected },
    });
    expect(await stored('B')).toEqual(await stored('A'));
    expect(faults.beyondBudget()).toEqual([]);
  });

  test('is not collected while another one of the same cloud account is', async () => {
    await addIntegration('I', 'A');
    await addIntegration('J', 'B');
    aws.before = () => 'hang';
    const nodes = [collector('here'), collector('there')] as const;
    await nodes[0].poll();
    await nodes[1].poll();
    expect(nodes.map(({ running }) => running)).toEqual([1, 0]);
    await Promise.all(nodes.map((node) => node.stop()));
  });

  test('whose credentials do not work has a state that says so', async () => {
    await addIntegration();
    aws.before = (call) => failure(call, 403, 'InvalidClientTokenId', 'The security token is invalid');
    const node = collector();
    await node.poll();
    await node.idle();
    expect(await stateOf()).toMatchObject({
      ok: false,
      lastSuccessfulTime: 0,
      details: { message: expect.stringContaining('security token is invalid') },
    });
    expect(await stored()).toEqual([]);
  });
});

describe('a scan', () => {
  test('is requested, runs, and is pending for an hour after that', async () => {
    const scans = new Scans(place.store, place.clock);
    const actor = { ownerId: 'A', userName: 'u', accountName: 'acme', act: 'Inventory Scan Requested' };
    expect((await scans.request(actor, 'aws')).details).toBe(
      'There is no enabled integration of this provider to scan',
    );
    await addIntegration();
    const node = collector();
    await node.poll();
    expect((await scans.state('A', 'aws')).details).toBe('Scan is in progress');
    await node.idle();
    expect(await scans.state('A', 'aws')).toEqual({
      ...{ status: 'pending', details: 'Scan recently completed within an hour' },
    });
    expect((await scans.request(actor, 'aws')).status).toBe('pending');
    place.clock.advance(3_600_001);
    expect((await scans.state('A', 'aws')).details).toBe('Scan is available');
    expect((await scans.request(actor, 'aws')).details).toBe('Scan has been requested');
    expect((await scans.request(actor, 'aws')).details).toBe('Scan has been requested');
    aws.calls.length = 0;
    await node.poll();
    expect((await scans.state('A', 'aws')).details).toBe('Scan is in progress');
    await node.stop();
    expect(await scans.state('B', 'aws')).toMatchObject({ status: 'available' });
  });
});

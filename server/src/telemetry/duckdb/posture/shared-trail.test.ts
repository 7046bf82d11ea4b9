import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatasourceCatalogue } from '../../../datasources/catalogue.ts';
import { resourcePolicyOf } from '../../../detection/evaluation/evaluated-policy.ts';
import { shippedPacks } from '../../../detection/packs/pack.ts';
import { QueryLanguage } from '../../../querying/language.ts';
import { jsonArray } from '../../../search/page.ts';
import { TestTelemetry } from '../../../testing/telemetry.ts';
import { datasets } from '../../datasets.ts';

const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
const [management, member] = ['210987654321', '123456789012'];
const region = 'us-east-1';
const arn = `arn:aws:cloudtrail:${region}:${management}:trail/organization`;
const trails = 'LW_CFG_AWS_CLOUDTRAIL';
const statuses = `${trails}_GET_TRAIL_STATUS`;
const selectors = `${trails}_GET_EVENT_SELECTORS`;

let place: TestTelemetry;
beforeEach(async () => {
  place = await TestTelemetry.start();
});
afterEach(() => place.stop());

/** A snapshot with one resource, or with one that was denied if there is no configuration. */
async function collect(cloudAccount: string, kind: string, key: string, config: object | undefined) {
  place.clock.advance(1_000);
  const started = place.clock.now();
  const isGlobal = kind === 'LW_CFG_AWS_ACCOUNTS';
  const where = isGlobal ? 'aws-global' : region;
  const facts = { URN: key, ACCOUNT_ID: cloudAccount, RESOURCE_REGION: where };
  const part = {
    number: 1,
    resources: config ? [{ key, facts, config: JSON.stringify(config), tags: undefined }] : [],
    unread: config ? [] : [{ key, status: 'denied' as const, reason: 'Unknown trail.' }],
  };
  await place.telemetry.finishSnapshot(
    'A',
    { kind, cloudAccount, region: where, started },
    { ended: started, status: config ? 'collected' : 'denied', reason: '', parts: 1, part },
  );
}

/** The trail as the owner of it reads it, and as a member that may list it only. */
async function collectTrail(): Promise<void> {
  const trail = {
    ...{ TrailARN: arn, HomeRegion: region, IsMultiRegionTrail: true, IsOrganizationTrail: true },
    ...{ CloudWatchLogsLogGroupArn: 'arn:aws:logs:us-east-1:210987654321:log-group:trail:*' },
  };
  const LatestCloudWatchLogsDeliveryTime = new Date(place.clock.now()).toISOString();
  const details = {
    [statuses]: { IsLogging: true, LatestCloudWatchLogsDeliveryTime },
    [selectors]: { EventSelectors: [{ ReadWriteType: 'All', IncludeManagementEvents: true }] },
  };
  for (const account of [member, management]) {
    await collect(account, 'LW_CFG_AWS_ACCOUNTS', `arn:aws:iam::${account}:root`, {});
    await collect(account, trails, arn, trail);
    for (const [kind, config] of Object.entries(details))
      await collect(account, kind, arn, account === management ? config : undefined);
  }
}

async function evaluate(folder: string) {
  const read = (file: string) => {
    const path = new URL(`policies/aws/${folder}/${file}`, shippedPacks());
    return existsSync(path) ? language.read(readFileSync(path, 'utf8')).query : undefined;
  };
  const query = read('query.lql');
  const resources = query && resourcePolicyOf({ query, scope: read('scope.lql') });
  if (!resources) throw new Error('The query names no resources.');
  place.clock.advance(1_000);
  const run = { account: 'A', at: place.clock.now() };
  const policy = {
    ...{ ...resources, id: 'p', title: 'p', severity: 'High', section: '', basis: folder },
    ...{ isScheduled: true, reported: 0 },
    resources: (changed: never) => resources.resources(run, changed),
    violations: (changed: never) => resources.violations(run, changed),
  };
  await place.telemetry.evaluate('A', [policy] as never, run.at, new AbortController().signal);
  const range = { start: 0, end: run.at + 1 };
  const search = { range, filters: [], returns: ['resource', 'status', 'account'], provider: 'aws' };
  const page = await place.telemetry.evaluations.search('A', search);
  const rows = JSON.parse(jsonArray(page)) as Shown[];
  return rows.map(({ resource, status, account }) => `${resource} ${status} of ${account.AccountId}`).sort();
}

interface Shown {
  readonly resource: string;
  readonly status: string;
  readonly account: { readonly AccountId: string };
}

test('a member account that may not read its trail is not assessed, and its owner is', async () => {
  await collectTrail();
  expect(await evaluate('cloudtrail/no-multi-region-trail')).toEqual([
    `${member} CouldNotAssess of ${member}`,
    `${management} Compliant of ${management}`,
  ]);
});

test('a shared trail has one result, in the account that owns it', async () => {
  await collectTrail();
  expect(await evaluate('cloudtrail/trail-not-sent-to-cloudwatch')).toEqual([
    `${arn} Compliant of ${management}`,
  ]);
  place.clock.advance(1_000);
  expect(await evaluate('cloudtrail/log-validation-disabled')).toContain(
    `${arn} NonCompliant of ${management}`,
  );
});

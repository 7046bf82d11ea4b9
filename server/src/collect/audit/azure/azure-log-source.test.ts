import { afterEach, beforeEach, expect, test } from 'vitest';
import { azureActivity } from '../../../telemetry/datasets/LW_ACT_AZURE_ACTIVITY.ts';
import { Collecting } from '../../../testing/audit-collecting.ts';
import { AzureCloud, azureHosts } from '../../../testing/azure-cloud.ts';
import { TestTelemetry } from '../../../testing/telemetry.ts';
import AzureAlSeq from '../../accounts/AzureAlSeq/type.ts';

const subscriptionId = '0b1f6471-1bf0-4dda-aec3-111122223333';
const settings = {
  credentials: { clientId: 'c', clientSecret: 's' },
  tenantId: '8a1b2c3d-0000-4000-8000-112233445566',
  queueUrl: 'https://logs.queue.core.windows.net/activity',
};

let place: TestTelemetry;
let cloud: AzureCloud;
let collecting: Collecting;
beforeEach(async () => {
  place = await TestTelemetry.start();
  cloud = await AzureCloud.start(place.clock);
  collecting = new Collecting(place, { receiver: cloud.receiver, hosts: azureHosts, types: [AzureAlSeq] });
});
afterEach(async () => {
  await collecting.stop();
  await cloud.receiver.close();
});

const blobOf = (hour: string) =>
  `https://logs.blob.core.windows.net/insights-activity-logs/resourceId=/SUBSCRIPTIONS/${subscriptionId.toUpperCase()}/y=2026/m=03/d=01/h=${hour}/m=00/PT1H.json`;
const notice = (url: string, eventType = 'Microsoft.Storage.BlobCreated') => ({
  ...{
    topic: '/subscriptions/x',
    subject: '/blobServices/default',
    eventType,
    id: '1',
    eventTime: '2026-03-01T12:00:00Z',
  },
  data: { api: 'PutBlob', url, contentLength: 0, eTag: '0x1', blobType: 'AppendBlob' },
});
const record = (correlationId: string, resultType = 'Start') =>
  JSON.stringify({
    ...{ time: `${new Date(place.clock.now()).toISOString().slice(0, -1)}1234Z`, correlationId, resultType },
    resourceId: `/SUBSCRIPTIONS/${subscriptionId.toUpperCase()}/RESOURCEGROUPS/SHOP/PROVIDERS/MICROSOFT.COMPUTE/VIRTUALMACHINES/WEB`,
    ...{
      operationName: 'MICROSOFT.COMPUTE/VIRTUALMACHINES/DELETE',
      category: 'Administrative',
      durationMs: '0',
    },
    ...{ callerIpAddress: '203.0.113.7', level: 'Information', location: 'global' },
    identity: { claims: { 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn': 'ada@example.com' } },
  });
const stored = async () =>
  (await collecting.stored(azureActivity)).map(
    ({ correlationId, resultType }) => `${correlationId} ${resultType}`,
  );

test('the activity log is read while its blob grows, without reading anything twice', async () => {
  const id = await collecting.integrate('AzureAlSeq', settings);
  const blob = blobOf('12');
  const first = `${record('1')}\r\n${record('1', 'Success')}\r\n`;
  cloud.blobs.set(blob, `${first}${record('2').slice(0, 50)}`);
  cloud.send(notice(blob));
  await collecting.collect();
  expect(await stored()).toEqual(['1 Start', '1 Success']);
  expect(cloud.deleted).toEqual(['a1']);
  expect((await collecting.stored(azureActivity))[0]).toMatchObject({
    ...{ subscriptionId, resourceProvider: 'microsoft.compute', caller: 'ada@example.com', durationMs: '0' },
  });
  expect((await collecting.record(id)).state).toMatchObject({
    ok: true,
    details: { queueRx: 'OK', logFileGet: 'OK' },
  });
  cloud.blobs.set(blob, `${first}${record('2')}\r\n${record('1')}\r\n`);
  await collecting.collect(60_000);
  expect(await stored()).toEqual(['1 Start', '1 Success', '2 Start']);
  const offset = Buffer.byteLength(first.trimEnd());
  expect(cloud.ranges.map((range) => Number(/\d+/.exec(range)?.[0]))).toEqual([0, offset]);
  await collecting.collect(60_000);
  expect(await stored()).toHaveLength(3);
  // Three hours after the begin of its hour, it grows no more.
  await collecting.collect(3 * 3_600_000);
  const before = cloud.ranges.length;
  await collecting.collect(120_000);
  expect(cloud.ranges).toHaveLength(before);
});

test('an old blob with an array is read as a whole', async () => {
  await collecting.integrate('AzureAlSeq', settings);
  cloud.blobs.set(blobOf('02'), `\ufeff{"records": [${record('1')},\n${record('2')}]}`);
  cloud.send([notice(blobOf('02')), notice(blobOf('03'), 'Microsoft.Storage.BlobDeleted')]);
  cloud.send(notice(blobOf('02')));
  await collecting.collect();
  expect(await stored()).toEqual(['1 Start', '2 Start']);
  expect(cloud.messages.size).toBe(0);
});

test('what is no log is set aside, and the token goes to storage accounts only', async () => {
  const id = await collecting.integrate('AzureAlSeq', settings);
  cloud.send('no JSON');
  cloud.send(notice('https://evil.example/insights-activity-logs/x'));
  cloud.send(notice(blobOf('05')));
  await collecting.collect();
  expect(cloud.messages.size).toBe(0);
  const setAside = await collecting.setAside(id);
  expect(setAside.map(({ reason }) => reason).sort()).toEqual([
    'The message is not JSON.',
    'The message names no blob of a storage account.',
    'The object does not exist any more.',
  ]);
  const hosts = new Set(cloud.receiver.received.map(({ url }) => new URL(url).hostname));
  expect([...hosts].every((host) => azureHosts.includes(host))).toBe(true);
});

test('a queue of another kind of host is refused before a token is asked for', async () => {
  const id = await collecting.integrate('AzureAlSeq', {
    ...settings,
    queueUrl: 'https://logs.queue.example.com/q',
  });
  await collecting.collect();
  expect(cloud.receiver.received).toEqual([]);
  expect((await collecting.record(id)).state).toMatchObject({
    ok: false,
    details: { message: expect.stringContaining('queueUrl is not the URL of a storage queue') },
  });
});

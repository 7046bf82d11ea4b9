import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cloudTrailRawEvents } from '../../../telemetry/datasets/CloudTrailRawEvents.ts';
import { Collecting } from '../../../testing/audit-collecting.ts';
import { AwsCloud, awsHosts, inTopic, notification, queueUrl, s3Error } from '../../../testing/aws-cloud.ts';
import { TestTelemetry } from '../../../testing/telemetry.ts';
import AwsCtSqs from '../../accounts/AwsCtSqs/type.ts';
import AwsUsGovCtSqs from '../../accounts/AwsUsGovCtSqs/type.ts';

const settings = {
  crossAccountCredentials: { roleArn: 'arn:aws:iam::111122223333:role/reader', externalId: 'x' },
  queueUrl,
};
const folder = 'AWSLogs/111122223333/CloudTrail/eu-west-1/2026/03/01';

let place: TestTelemetry;
let cloud: AwsCloud;
let collecting: Collecting;
beforeEach(async () => {
  place = await TestTelemetry.start();
  cloud = await AwsCloud.start(place.clock);
  const types = [AwsCtSqs, AwsUsGovCtSqs];
  collecting = new Collecting(place, { receiver: cloud.receiver, hosts: awsHosts, types });
});
afterEach(async () => {
  await collecting.stop();
  await cloud.receiver.close();
});

const event = (eventID: string, rest: object = {}) => ({
  ...{ eventID, eventTime: new Date(place.clock.now()).toISOString().replace(/\.\d+/, '') },
  ...{ eventName: 'StopLogging', eventSource: 'cloudtrail.amazonaws.com', awsRegion: 'eu-west-1' },
  ...{ recipientAccountId: '111122223333', ...rest },
});
const ids = async (account?: string) =>
  (await collecting.stored(cloudTrailRawEvents, account)).map(({ eventID }) => eventID as string).sort();
const details = async (id: string) => (await collecting.record(id)).state?.details as Record<string, unknown>;

describe('CloudTrail', () => {
  test('is read through every envelope, and each message is deleted once its events are durable', async () => {
    const id = await collecting.integrate('AwsCtSqs', settings);
    const keys = Array.from({ length: 5 }, (_, n) => `${folder}/log ${n}+(é).json.gz`);
    for (const [n, key] of keys.entries()) cloud.put(key, [event(`e${n}`), event(`e${n}b`)]);
    const [direct, wrapped, notice, raw, bus] = keys as [string, string, string, string, string];
    cloud.send(notification(direct));
    cloud.send(inTopic(notification(wrapped)));
    cloud.send(inTopic({ s3Bucket: 'trail-logs', s3ObjectKey: [notice] }));
    cloud.send({ s3Bucket: 'trail-logs', s3ObjectKey: [raw] });
    cloud.send({
      ...{ 'detail-type': 'Object Created', source: 'aws.s3', region: 'eu-west-1' },
      detail: { bucket: { name: 'trail-logs' }, object: { key: bus, size: 100, etag: 'e1' } },
    });
    cloud.send({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'trail-logs' });
    cloud.send(inTopic('CloudTrail validation message.'));
    cloud.send(notification(`AWSLogs/111122223333/CloudTrail-Digest/eu-west-1/2026/03/01/d.json.gz`));
    cloud.send(notification(`AWSLogs/111122223333/CloudTrail-Insight/eu-west-1/2026/03/01/i.json.gz`));
    await collecting.collect();
    expect(await ids()).toEqual(['e0', 'e0b', 'e1', 'e1b', 'e2', 'e2b', 'e3', 'e3b', 'e4', 'e4b']);
    expect(cloud.messages.size).toBe(0);
    expect(cloud.deleted).toHaveLength(9);
    expect([...cloud.reads].sort()).toEqual([...keys].sort());
    const now = place.clock.now();
    expect((await collecting.record(id)).state).toEqual({
      ...{ ok: true, lastUpdatedTime: now, lastSuccessfulTime: now },
      details: {
        sqsRx: 'OK',
        decodeNtfn: 'OK',
        s3Get: 'OK',
        sqsDel: 'OK',
        lastMsgRxTime: now,
        noData: false,
      },
    });
  });

  test('says that a queue was read but had no message yet', async () => {
    const id = await collecting.integrate('AwsCtSqs', settings);
    expect((await collecting.record(id)).state).toMatchObject({
      ok: false,
      details: { message: 'Not tried yet.' },
    });
    await collecting.collect();
    expect((await collecting.record(id)).state).toMatchObject({
      ok: true,
      details: { sqsRx: 'OK', noData: true },
    });
  });

  test('stores an event once, however often messages, objects and logs repeat it', async () => {
    await collecting.integrate('AwsCtSqs', settings);
    cloud.put(`${folder}/a.json.gz`, [event('1'), event('2')]);
    cloud.put(`${folder}/b.json.gz`, [
      event('2'),
      event('3'),
      event('1', { recipientAccountId: '444455556666' }),
    ]);
    for (let times = 0; times < 3; times++) cloud.send(notification(`${folder}/a.json.gz`));
    await collecting.collect();
    cloud.send(inTopic(notification(`${folder}/a.json.gz`)));
    cloud.send(notification(`${folder}/b.json.gz`));
    await collecting.collect(1_000);
    expect(await ids()).toEqual(['1', '1', '2', '3']);
    expect(cloud.messages.size).toBe(0);
    expect(cloud.reads.filter((key) => key.endsWith('a.json.gz'))).toHaveLength(1);
    // An object with other content is another one, and its repeated events are left out.
    cloud.send(notification(`${folder}/a.json.gz`, { eTag: 'e2' }));
    await collecting.collect(1_000);
    expect(await ids()).toEqual(['1', '1', '2', '3']);
    expect(collecting.collector.counts).toMatchObject({ records: 4, repeatedRecords: 3, objects: 3 });
  });

  test('deletes nothing before it is durable, and reads it again after a crash', async () => {
    await collecting.integrate('AwsCtSqs', settings);
    cloud.put(`${folder}/a.json.gz`, [event('1')]);
    cloud.send(notification(`${folder}/a.json.gz`));
    const seen: string[][] = [];
    const { ingest } = place.telemetry.intake;
    place.telemetry.intake.ingest = async () => {
      throw new Error('the disk is gone');
    };
    await collecting.collect();
    expect(cloud.deleted).toEqual([]);
    place.telemetry.intake.ingest = ingest;
    cloud.onDelete = () => void seen.push([...cloud.deleted]);
    await collecting.collect(60_000);
    expect(await ids()).toEqual(['1']);
    expect(cloud.deleted).toEqual(['m1']);
  });

  test('sets aside what can not be read, names it, and goes on', async () => {
    const id = await collecting.integrate('AwsCtSqs', settings);
    const put = (name: string, body: Buffer, size = 10) => {
      cloud.objects.set(`trail-logs/${folder}/${name}`, body);
      cloud.send(notification(`${folder}/${name}`, { size }));
    };
    const truncated = gzipSync(JSON.stringify({ Records: [event('t')] })).subarray(0, -12);
    put('text', Buffer.from('This is no log.'));
    put('corrupt', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from('garbage garbage garbage')]));
    put('truncated', truncated);
    put('json', gzipSync('{"Records":[{"eventID":'));
    put('bomb', gzipSync(Buffer.alloc(300 * 1024 * 1024, ' ')));
    put('large', Buffer.of(), 33 * 1024 * 1024);
    cloud.send(notification(`${folder}/missing`));
    cloud.send('no JSON');
    cloud.send({ some: 'thing' });
    cloud.send(notification('../../x'));
    cloud.put(`${folder}/mixed`, [
      event('good'),
      { eventID: 'bad' },
      event('future', { eventTime: '2099-01-01T00:00:00Z' }),
    ]);
    cloud.send(notification(`${folder}/mixed`));
    cloud.put(`${folder}/last`, [event('last')]);
    cloud.send(notification(`${folder}/last`));
    await collecting.collect();
    expect(await ids()).toEqual(['good', 'last']);
    expect(cloud.messages.size).toBe(0);
    expect((await collecting.record(id)).state?.ok).toBe(true);
    const list = await collecting.setAside(id);
    const reasons = Object.fromEntries(list.map(({ object, reason }) => [object.split('/').at(-1), reason]));
    expect(reasons).toEqual({
      text: 'The object has no array "Records".',
      corrupt: 'The object is not valid gzip.',
      truncated: 'The object is truncated: its compressed data is not complete.',
      json: 'The object is truncated: its JSON is not complete.',
      bomb: 'The object is larger than 256 MB uncompressed.',
      large: 'The object is larger than 32 MB.',
      missing: 'The object does not exist any more.',
      'message m8': 'The message is not JSON.',
      'message m9':
        'The message is neither a notification of S3, nor a notice of CloudTrail, nor an event of EventBridge.',
      'message m10': 'The message names an object with a segment of dots in its key.',
      mixed: expect.stringMatching(/^2 records can not be stored; the first: .*eventTime/),
    });
  });

  test('keeps messages of objects that it may not read, tries them again, and goes on with others', async () => {
    const id = await collecting.integrate('AwsCtSqs', settings);
    cloud.put(`${folder}/secret`, [event('secret')]);
    cloud.put(`${folder}/open`, [event('open')]);
    let isDenied = true;
    cloud.instead = ({ url }) =>
      isDenied && url.includes('secret') ? s3Error(403, 'AccessDenied') : undefined;
    cloud.send(notification(`${folder}/secret`));
    cloud.send(notification(`${folder}/open`));
    await collecting.collect();
    expect(await ids()).toEqual(['open']);
    expect(cloud.deleted).toEqual(['m2']);
    expect(await details(id)).toMatchObject({
      s3Get: 'AccessDenied',
      message: 'AWS s3 answered 403 AccessDenied: AccessDenied.',
    });
    expect((await collecting.record(id)).state?.ok).toBe(false);
    for (const seconds of [60, 120, 240, 480]) await collecting.collect(seconds * 1_000);
    expect(cloud.hidden).toEqual([60, 120, 240, 480, 3_600]);
    expect(await details(id)).toMatchObject({
      setAside: [
        { object: `s3://trail-logs/${folder}/secret`, reason: expect.stringContaining('AccessDenied') },
      ],
    });
    isDenied = false;
    await collecting.collect(3_600_000);
    expect(await ids()).toEqual(['open', 'secret']);
    expect(cloud.messages.size).toBe(0);
    expect(await details(id)).not.toHaveProperty('setAside');
  });

  test('waits longer and longer for a queue that it may not read, until its settings change', async () => {
    const id = await collecting.integrate('AwsCtSqs', settings);
    cloud.instead = ({ url }) =>
      url.includes('sqs.')
        ? { status: 403, body: '{"__type":"com.amazonaws.sqs#AccessDeniedException","message":"No."}' }
        : undefined;
    await collecting.collect();
    const asked = () => cloud.receiver.received.filter(({ url }) => url.includes('sqs.')).length;
    expect(asked()).toBe(1);
    expect((await collecting.record(id)).state).toMatchObject({
      ok: false,
      details: {
        sqsRx: 'AccessDeniedException',
        message: 'AWS sqs answered 403 AccessDeniedException: No.',
        noData: true,
      },
    });
    await collecting.collect(29_000);
    expect(asked()).toBe(1);
    await collecting.collect(1_000);
    expect(asked()).toBe(2);
    await collecting.collect(30_000);
    expect(asked()).toBe(2);
    cloud.instead = () => undefined;
    await collecting.change(id, { name: 'renamed' });
    await collecting.collect(5_000);
    expect(asked()).toBe(3);
    expect((await collecting.record(id)).state?.ok).toBe(true);
  });

  test('finds the region of a bucket that a notice does not name', async () => {
    await collecting.integrate('AwsCtSqs', {
      ...settings,
      queueUrl: 'https://sqs.us-gov-west-1.amazonaws.com/1/q',
    });
    cloud.put(`${folder}/a`, [event('1')]);
    cloud.send({ s3Bucket: 'trail-logs', s3ObjectKey: [`${folder}/a`] });
    cloud.instead = ({ url }) =>
      url.includes('s3.us-gov-west-1')
        ? s3Error(301, 'PermanentRedirect', '<Region>eu-west-1</Region>')
        : undefined;
    await collecting.collect();
    expect(await ids()).toEqual(['1']);
  });

  test('reads GovCloud with its access key', async () => {
    await collecting.integrate('AwsUsGovCtSqs', {
      accessKeyCredentials: {
        ...{ accountId: '111122223333', accessKeyId: 'AKIAOURSELVES' },
        secretAccessKey: 'the canary that signs for ourselves',
      },
      queueUrl: 'https://sqs.us-gov-west-1.amazonaws.com/111122223333/trail',
    });
    cloud.put(`${folder}/a`, [event('1')]);
    cloud.send(notification(`${folder}/a`, { region: 'us-gov-west-1' }));
    await collecting.collect();
    expect(await ids()).toEqual(['1']);
    expect(cloud.receiver.received.some(({ url }) => url.includes('sts.'))).toBe(false);
  });

  test('signs requests for queues of SQS only', async () => {
    const id = await collecting.integrate('AwsCtSqs', {
      ...settings,
      queueUrl: 'https://sqs.eu-west-1.example.com/1/q',
    });
    await collecting.collect();
    expect(cloud.receiver.received).toEqual([]);
    expect(await details(id)).toMatchObject({
      message: expect.stringContaining('queueUrl is not the URL of an SQS queue'),
    });
  });
});

describe('a queue', () => {
  test('is read by one of several nodes, and by another after a crash', async () => {
    await collecting.integrate('AwsCtSqs', settings);
    const other = collecting.another('other');
    cloud.put(`${folder}/a`, [event('1')]);
    cloud.send(notification(`${folder}/a`));
    cloud.instead = ({ method }) => (method === 'GET' ? 'hang' : undefined);
    await collecting.collector.poll();
    await expect.poll(() => cloud.reads).toHaveLength(1);
    await other.poll();
    await other.settled();
    const receives = () =>
      cloud.receiver.received.filter(({ headers }) => headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage')
        .length;
    expect(receives()).toBe(1);
    await collecting.collector.renewLeases();
    place.clock.advance(59_000);
    await other.poll();
    await other.settled();
    expect(receives()).toBe(1);
    cloud.instead = () => undefined;
    place.clock.advance(2_000);
    await other.poll();
    await other.settled();
    expect(await ids()).toEqual(['1']);
    // The first node finds that its lease is lost, and changes nothing.
    await collecting.collector.renewLeases();
    await collecting.collector.settled();
    expect(await ids()).toEqual(['1']);
    expect(cloud.messages.size).toBe(0);
  });

  test('gets messages back when the service stops', async () => {
    await collecting.integrate('AwsCtSqs', settings);
    cloud.put(`${folder}/a`, [event('1')]);
    cloud.send(notification(`${folder}/a`));
    cloud.instead = ({ method }) => (method === 'GET' ? 'hang' : undefined);
    await collecting.collector.poll();
    await expect.poll(() => cloud.reads).toHaveLength(1);
    collecting.collector.stop();
    await collecting.collector.settled();
    expect(cloud.hidden).toEqual([0]);
    expect(cloud.deleted).toEqual([]);
    cloud.instead = () => undefined;
    collecting.collector = collecting.another();
    await collecting.collect(1_000);
    expect(await ids()).toEqual(['1']);
  });

  test('keeps messages hidden while they are handled', async () => {
    await collecting.stop();
    await cloud.receiver.close();
    place = await TestTelemetry.start();
    cloud = await AwsCloud.start(place.clock);
    collecting = new Collecting(place, {
      ...{ receiver: cloud.receiver, hosts: awsHosts, types: [AwsCtSqs], heartbeat: 20 },
    });
    await collecting.integrate('AwsCtSqs', settings);
    cloud.put(`${folder}/a`, [event('1')]);
    cloud.send(notification(`${folder}/a`));
    cloud.instead = ({ method }) => (method === 'GET' ? 'hang' : undefined);
    await collecting.collector.poll();
    await expect.poll(() => cloud.hidden.length).toBeGreaterThan(2);
    expect(new Set(cloud.hidden)).toEqual(new Set([60]));
    cloud.receiver.answer({ body: gzipSync(JSON.stringify({ Records: [event('1')] })) });
    await collecting.collector.settled();
    expect(await ids()).toEqual(['1']);
  });

  test('is not read while deliveries are held after a restore, nor if it is disabled', async () => {
    const id = await collecting.integrate('AwsCtSqs', settings);
    await place.store.housekeeping((tx) =>
      tx.insertInto('delivery_holds').values({ id: 'restore', since: 1 }).execute(),
    );
    await collecting.collect();
    expect(cloud.receiver.received).toEqual([]);
    await place.store.housekeeping((tx) => tx.deleteFrom('delivery_holds').execute());
    await collecting.change(id, { enabled: 0 });
    await collecting.collect(10_000);
    expect(cloud.receiver.received).toEqual([]);
  });

  test('of the organization stores into the accounts of its mapping', async () => {
    await place.store.housekeeping(async (tx) => {
      await tx.insertInto('organizations').values({ id: 'ORG', name: 'acme', created_at: 0 }).execute();
      for (const [id, name] of [
        ['ACME', 'acme'],
        ['SHOP', 'shop'],
      ] as const)
        await tx.insertInto('accounts').values({ id, name, organization_id: 'ORG', created_at: 0 }).execute();
    });
    const mapping = {
      ...{ defaultLaceworkAccountAws: 'acme' },
      integration_mappings: { shop: { aws_accounts: ['444455556666'] } },
    };
    const file = `data:application/json;name=i.json;base64,${Buffer.from(JSON.stringify(mapping)).toString('base64')}`;
    await collecting.integrate('AwsCtSqs', { ...settings, accountMappingFile: file }, true);
    cloud.put(`${folder}/a`, [event('1'), event('2', { recipientAccountId: '444455556666' })]);
    cloud.send(notification(`${folder}/a`));
    await collecting.collect();
    expect(await ids()).toEqual(['1']);
    expect(await ids('SHOP')).toEqual(['2']);
  });
});

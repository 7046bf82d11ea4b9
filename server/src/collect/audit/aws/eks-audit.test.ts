import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { k8sAudit } from '../../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { Collecting } from '../../../testing/audit-collecting.ts';
import { AwsCloud, awsHosts, inTopic, notification } from '../../../testing/aws-cloud.ts';
import { TestTelemetry } from '../../../testing/telemetry.ts';
import AwsEksAudit from '../../accounts/AwsEksAudit/type.ts';

const settings = {
  crossAccountCredentials: { roleArn: 'arn:aws:iam::111122223333:role/reader', externalId: 'x' },
  snsArn: 'arn:aws:sns:eu-west-1:111122223333:eks-audit',
  s3BucketArn: 'arn:aws:s3:::audit-logs',
};

let place: TestTelemetry;
let cloud: AwsCloud;
let collecting: Collecting;
beforeEach(async () => {
  place = await TestTelemetry.start();
  cloud = await AwsCloud.start(place.clock);
  collecting = new Collecting(place, { receiver: cloud.receiver, hosts: awsHosts, types: [AwsEksAudit] });
});
afterEach(async () => {
  await collecting.stop();
  await cloud.receiver.close();
});

const at = () => new Date(place.clock.now()).toISOString();
const auditEvent = (auditID: string, rest: object = {}) => ({
  ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Metadata', auditID, stage: 'ResponseComplete' },
  ...{
    verb: 'create',
    requestURI: '/api/v1/namespaces/shop/pods/web/exec?command=sh&command=-c&container=web',
  },
  user: {
    username: 'ada',
    groups: ['system:masters'],
    extra: { arn: ['arn:aws:iam::111122223333:user/ada'] },
  },
  ...{ sourceIPs: ['203.0.113.7'], stageTimestamp: at(), requestReceivedTimestamp: at(), ...rest },
});
const payload = (events: readonly (object | string)[], rest: object = {}) =>
  JSON.stringify({
    ...{ messageType: 'DATA_MESSAGE', owner: '111122223333', logGroup: '/aws/eks/shop/cluster' },
    ...{ logStream: 'kube-apiserver-audit-12ab', subscriptionFilters: ['all'] },
    logEvents: events.map((each, index) => ({
      ...{ id: String(index), timestamp: place.clock.now() },
      message: typeof each === 'string' ? each : JSON.stringify(each),
    })),
    ...rest,
  });

test('audit events of EKS are read from what Firehose wrote, through the queue of the topic', async () => {
  const id = await collecting.integrate('AwsEksAudit', settings);
  const content = [
    payload([], { messageType: 'CONTROL_MESSAGE' }),
    payload([auditEvent('1'), auditEvent('2', { requestURI: '/api/v1/pods', verb: 'list' })]),
    payload(['I0301 not an audit event'], { logStream: 'kube-scheduler-12ab' }),
    payload([auditEvent('3'), 'not JSON', auditEvent('1')]),
  ].join('');
  cloud.objects.set('audit-logs/2026/03/01/12/part', gzipSync(content));
  cloud.send(inTopic(notification('2026/03/01/12/part', { bucket: 'audit-logs' })));
  cloud.send(inTopic(notification('2026/03/01/12/part', { bucket: 'foreign' })));
  await collecting.collect();
  const [first, ...others] = await collecting.stored(k8sAudit);
  expect(first).toMatchObject({
    ...{ auditID: '1', clusterId: 'shop', clusterType: 'EKS', command: 'sh -c' },
    ...{ cloudUser: 'arn:aws:iam::111122223333:user/ada', user: { username: 'ada' } },
  });
  expect(others.map(({ auditID, command }) => [auditID, command])).toEqual([
    ['2', undefined],
    ['3', 'sh -c'],
  ]);
  expect(cloud.messages.size).toBe(0);
  const [receive] = cloud.receiver.received.filter(({ headers }) =>
    headers['x-amz-target']?.endsWith('ReceiveMessage'),
  );
  expect(JSON.parse(String(receive?.body)).QueueUrl).toBe(
    'https://sqs.eu-west-1.amazonaws.com/111122223333/eks-audit',
  );
  expect((await collecting.record(id)).state).toMatchObject({
    ok: true,
    details: { s3Get: 'OK', setAside: [{ reason: expect.stringMatching(/^1 records can not be stored/) }] },
  });
});

test('an object without payloads of a log group is set aside', async () => {
  const id = await collecting.integrate('AwsEksAudit', settings);
  cloud.objects.set('audit-logs/a', Buffer.from('plain text'));
  cloud.objects.set('audit-logs/b', Buffer.from('{"some":"thing"}'));
  for (const key of ['a', 'b']) cloud.send(notification(key, { bucket: 'audit-logs' }));
  await collecting.collect();
  expect(await collecting.stored(k8sAudit)).toEqual([]);
  const setAside = await collecting.setAside(id);
  expect(setAside.map(({ reason }) => reason).sort()).toEqual([
    '1 records can not be stored; the first: is not the payload of a subscription to a log group',
    'The object is not JSON.',
  ]);
});

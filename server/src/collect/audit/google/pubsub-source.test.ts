import { afterEach, beforeEach, expect, test } from 'vitest';
import { gcpActivity } from '../../../telemetry/datasets/LW_ACT_GCP_ACTIVITY.ts';
import { k8sAudit } from '../../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { Collecting } from '../../../testing/audit-collecting.ts';
import { GoogleCloud, googleHosts } from '../../../testing/google-cloud.ts';
import { TestTelemetry } from '../../../testing/telemetry.ts';
import { googleKey } from '../../../testing/transports.ts';
import GcpAlPubSub from '../../accounts/GcpAlPubSub/type.ts';
import GcpAtSes from '../../accounts/GcpAtSes/type.ts';
import GcpGkeAudit from '../../accounts/GcpGkeAudit/type.ts';

const subscription = 'projects/shop-logs/subscriptions/audit';
const credentials = {
  ...{ clientId: '1', clientEmail: 'reader@shop-logs.iam.gserviceaccount.com', privateKeyId: 'k' },
  privateKey: googleKey.privateKey,
};
const pubsub = {
  ...{ credentials, integrationType: 'PROJECT', projectId: 'shop-logs', topicId: 'audit' },
  subscriptionName: 'audit',
};

let place: TestTelemetry;
let cloud: GoogleCloud;
let collecting: Collecting;
beforeEach(async () => {
  place = await TestTelemetry.start();
  cloud = await GoogleCloud.start(subscription, place.clock);
  const types = [GcpAlPubSub, GcpAtSes, GcpGkeAudit];
  collecting = new Collecting(place, { receiver: cloud.receiver, hosts: googleHosts, types });
});
afterEach(async () => {
  await collecting.stop();
  await cloud.receiver.close();
});

const entry = (insertId: string, payload: object = {}, rest: object = {}) => ({
  ...{ insertId, timestamp: new Date(place.clock.now()).toISOString().replace('Z', '456789Z') },
  logName: 'projects/shop-logs/logs/cloudaudit.googleapis.com%2Factivity',
  resource: { type: 'project', labels: { project_id: 'shop-logs' } },
  protoPayload: {
    ...{ '@type': 'type.googleapis.com/google.cloud.audit.AuditLog', serviceName: 'iam.googleapis.com' },
    ...{
      methodName: 'google.iam.admin.v1.CreateServiceAccountKey',
      resourceName: 'projects/-/serviceAccounts/1',
    },
    authenticationInfo: { principalEmail: 'ada@example.com' },
    ...payload,
  },
  ...rest,
});
const stored = async () => (await collecting.stored(gcpActivity)).map(({ insertId }) => insertId);

test('audit logs of Google Cloud are pulled, stored once and then acknowledged', async () => {
  const id = await collecting.integrate('GcpAlPubSub', pubsub);
  cloud.publish(entry('1'));
  cloud.publish(JSON.stringify(entry('2'), null, 2));
  cloud.publish(entry('1'));
  cloud.publish({
    insertId: '3',
    timestamp: new Date(0).toISOString(),
    logName: 'l',
    textPayload: 'of another log',
  });
  await collecting.collect();
  expect(await stored()).toEqual(['1', '2']);
  expect(cloud.acknowledged).toEqual(['g1', 'g2', 'g3', 'g4']);
  expect(cloud.deadlines).toEqual([60, 60, 60, 60]);
  const now = place.clock.now();
  expect((await collecting.record(id)).state).toEqual({
    ...{ ok: true, lastUpdatedTime: now, lastSuccessfulTime: now },
    details: {
      queueRx: 'OK',
      decodeNtfn: 'OK',
      logFileGet: 'OK',
      queueDel: 'OK',
      lastMsgRxTime: now,
      noData: false,
    },
  });
});

test('the whole path of a subscription may be given, of a project or an organization', async () => {
  await collecting.integrate('GcpAtSes', {
    ...{ credentials, idType: 'ORGANIZATION', id: '123456789012', subscriptionName: subscription },
  });
  cloud.publish(entry('1'));
  await collecting.collect();
  expect(await stored()).toEqual(['1']);
});

test('a message that is no log entry is set aside and does not stop the others', async () => {
  const id = await collecting.integrate('GcpAlPubSub', pubsub);
  cloud.publish('{"protoPayload":');
  cloud.publish('}{');
  cloud.publish(entry('1'));
  cloud.publish(entry('2', {}, { timestamp: 'yesterday' }));
  await collecting.collect();
  expect(await stored()).toEqual(['1']);
  expect(cloud.messages.size).toBe(0);
  expect((await collecting.record(id)).state).toMatchObject({
    ok: true,
    details: {
      setAside: [
        { object: expect.stringContaining(subscription), reason: expect.stringMatching(/^3 records/) },
      ],
    },
  });
});

test('a rejected service account is reported, and its token is not used again', async () => {
  const id = await collecting.integrate('GcpAlPubSub', pubsub);
  cloud.instead = ({ url }) =>
    url.includes(':pull')
      ? { status: 403, body: '{"error":{"code":403,"status":"PERMISSION_DENIED","message":"No."}}' }
      : undefined;
  await collecting.collect();
  expect((await collecting.record(id)).state).toMatchObject({
    ok: false,
    details: { message: 'Google Pub/Sub answered 403 PERMISSION_DENIED: No.', noData: true },
  });
});

test('without a private key nothing is tried', async () => {
  const id = await collecting.integrate('GcpAlPubSub', {
    ...pubsub,
    credentials: { ...credentials, privateKey: '' },
  });
  await collecting.collect();
  expect(cloud.receiver.received).toEqual([]);
  expect((await collecting.record(id)).state).toMatchObject({
    ok: false,
    details: { message: 'A secret is missing: add it.' },
  });
});

test('audit logs of GKE become audit events of Kubernetes', async () => {
  await collecting.integrate('GcpGkeAudit', { ...pubsub, topicId: undefined });
  cloud.publish(
    entry(
      '1',
      {
        ...{ serviceName: 'k8s.io', methodName: 'io.k8s.core.v1.pods.exec.create' },
        resourceName: 'core/v1/namespaces/shop/pods/web/exec',
        requestMetadata: { callerIp: '203.0.113.7', callerSuppliedUserAgent: 'kubectl/v1.31' },
        status: { code: 7, message: 'Forbidden' },
      },
      {
        operation: { id: 'audit-1', first: true, last: true },
        resource: { type: 'k8s_cluster', labels: { cluster_name: 'shop', project_id: 'shop-logs' } },
      },
    ),
  );
  cloud.publish(entry('2'));
  await collecting.collect();
  expect(await collecting.stored(k8sAudit)).toEqual([
    expect.objectContaining({
      ...{ auditID: 'audit-1', stage: 'ResponseComplete', verb: 'create', userAgent: 'kubectl/v1.31' },
      ...{ requestURI: '/api/v1/namespaces/shop/pods/web/exec', sourceIPs: ['203.0.113.7'] },
      ...{
        clusterId: 'shop',
        clusterType: 'GKE',
        cloudUser: 'ada@example.com',
        user: { username: 'ada@example.com' },
      },
      objectRef: { apiVersion: 'v1', namespace: 'shop', resource: 'pods', name: 'web', subresource: 'exec' },
      responseStatus: { code: 403, message: 'Forbidden' },
    }),
  ]);
  expect(cloud.messages.size).toBe(0);
});

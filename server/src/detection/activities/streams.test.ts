import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonArray } from '../../search/page.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { cloudActivities } from '../../telemetry/datasets/CloudActivities.ts';
import { azureActivity } from '../../telemetry/datasets/LW_ACT_AZURE_ACTIVITY.ts';
import { gcpActivity } from '../../telemetry/datasets/LW_ACT_GCP_ACTIVITY.ts';
import { k8sAudit } from '../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { TestDetection } from '../../testing/detection.ts';
import { activityStreams } from './streams.ts';

const hour = 3_600_000;
let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

/** The activities of an hour with these records. */
async function activitiesOf(dataset: TelemetryDataset, records: readonly object[]) {
  const all = activityStreams.map((stream) => place.activities({ stream }));
  for (const each of all) await each.tick();
  await place.take(dataset, records);
  place.clock.advance(hour + 5 * 60_000);
  for (const each of all) await each.tick();
  for (const each of all) await each.tick();
  const question = { range: { start: 0, end: place.clock.now() + hour }, filters: [] };
  const page = await place.telemetry.search(cloudActivities, place.account, question as never);
  return JSON.parse(jsonArray(page)) as Record<string, unknown>[];
}

const at = () => new Date(place.clock.now()).toISOString();
const frame = {
  startTime: '2026-03-01T12:00:00.000Z',
  endTime: '2026-03-01T13:00:00.000Z',
  eventId: expect.any(Number),
};

test('calls to Google Cloud', async () => {
  const entry = (insertId: string, status: object) => ({
    ...{ insertId, timestamp: at(), logName: 'projects/shop/logs/cloudaudit.googleapis.com%2Factivity' },
    resource: { type: 'service_account', labels: { project_id: 'shop', location: 'europe-west1' } },
    protoPayload: {
      ...{ serviceName: 'iam.googleapis.com', methodName: 'google.iam.admin.v1.CreateServiceAccountKey' },
      ...{ resourceName: 'projects/-/serviceAccounts/1', status },
      authenticationInfo: { principalEmail: 'ada@example.com', principalSubject: 'user:ada@example.com' },
      requestMetadata: { callerIp: '203.0.113.7' },
    },
  });
  const api = 'google.iam.admin.v1.CreateServiceAccountKey';
  expect(await activitiesOf(gcpActivity, [entry('1', {}), entry('2', { code: 7, message: 'No.' })])).toEqual([
    {
      ...frame,
      ...{ eventType: 'GcpUnauthorizedCall', eventModel: 'GcpAuditTrailCep', eventActor: 'GcpAuditTrail' },
      entityMap: {
        API: [
          {
            KEY: { api, service: 'iam.googleapis.com' },
            PROPS: { source_ip_address_list: ['203.0.113.7'], user_list: ['ada@example.com'] },
          },
        ],
        CT_User: [
          {
            KEY: {
              account: 'shop',
              mfa: 0,
              principalId: 'user:ada@example.com',
              username: 'ada@example.com',
            },
            PROPS: { api_list: [api], region_list: ['europe-west1'] },
          },
        ],
        Region: [{ KEY: { region: 'europe-west1' }, PROPS: { account_list: ['shop'] } }],
        Resource: [{ KEY: { name: 'service_account', value: 'projects/-/serviceAccounts/1' } }],
        RulesTriggered: [],
        SourceIpAddress: [{ KEY: { ip_addr: '203.0.113.7' }, PROPS: { api_list: [api] } }],
      },
    },
  ]);
});

test('operations on Azure', async () => {
  const record = (resultType: string) => ({
    ...{ time: at(), correlationId: 'c', resultType, category: 'Administrative', location: 'westeurope' },
    ...{
      operationName: 'MICROSOFT.AUTHORIZATION/ROLEASSIGNMENTS/WRITE',
      resourceProvider: 'microsoft.authorization',
    },
    ...{ resourceId: '/SUBSCRIPTIONS/S/ROLE', subscriptionId: 's', caller: 'ada@example.com' },
    callerIpAddress: '203.0.113.7',
    identity: { authorization: { evidence: { principalId: 'p1' } } },
  });
  const [activity, ...others] = await activitiesOf(azureActivity, [record('Start'), record('Success')]);
  expect(others).toEqual([]);
  expect(activity).toMatchObject({
    ...frame,
    ...{
      eventType: 'AzureRoleAssignmentChanged',
      eventModel: 'AzureActivityLogCep',
      eventActor: 'AzureActivityLog',
    },
    entityMap: {
      API: [
        { KEY: { api: 'MICROSOFT.AUTHORIZATION/ROLEASSIGNMENTS/WRITE', service: 'microsoft.authorization' } },
      ],
      CT_User: [{ KEY: { account: 's', mfa: 0, principalId: 'p1', username: 'ada@example.com' } }],
      Region: [{ KEY: { region: 'westeurope' } }],
      Resource: [{ KEY: { name: 'resourceId', value: '/SUBSCRIPTIONS/S/ROLE' } }],
      SourceIpAddress: [{ KEY: { ip_addr: '203.0.113.7' } }],
    },
  });
});

test('requests to clusters, each stage but the first', async () => {
  const request = (stage: string, rest: object = {}) => ({
    ...{ stageTimestamp: at(), auditID: 'a', stage, verb: 'create', requestURI: '/api/v1/x' },
    ...{ user: { username: 'ada', uid: 'u1' }, sourceIPs: ['203.0.113.7', '10.0.0.1'], clusterId: 'shop' },
    objectRef: { resource: 'pods', subresource: 'exec', namespace: 'default', name: 'web' },
    ...{ responseStatus: { code: 101 }, ...rest },
  });
  const activities = await activitiesOf(k8sAudit, [
    request('RequestReceived', { verb: 'delete' }),
    request('ResponseComplete'),
    request('ResponseComplete', {
      ...{ auditID: 'b', user: { username: 'system:anonymous' }, verb: 'get', responseStatus: { code: 403 } },
      objectRef: { apiGroup: 'apps', resource: 'deployments' },
    }),
  ]);
  expect(activities).toHaveLength(2);
  expect(activities).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ eventType: 'K8sPodExec', eventModel: 'K8sAuditLogCep', eventActor: 'K8sAuditLog' },
        entityMap: expect.objectContaining({
          API: [
            {
              KEY: { api: 'create pods/exec', service: 'core' },
              PROPS: { source_ip_address_list: ['203.0.113.7'], user_list: ['ada'] },
            },
          ],
          CT_User: [
            {
              KEY: { account: 'shop', mfa: 0, principalId: 'u1', username: 'ada' },
              PROPS: { api_list: ['create pods/exec'], region_list: [] },
            },
          ],
          Resource: [{ KEY: { name: 'pods', value: 'default/web' } }],
        }),
      }),
      expect.objectContaining({ eventType: 'K8sUnauthorizedRequest' }),
    ]),
  );
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import { shippedPacks } from '../detection/packs/pack.ts';
import { QueryLanguage } from '../querying/language.ts';
import { QueryRunner } from '../querying/runner.ts';
import { cloudTrailRawEvents } from '../telemetry/datasets/CloudTrailRawEvents.ts';
import { containers } from '../telemetry/datasets/Containers.ts';
import { gcpActivity } from '../telemetry/datasets/LW_ACT_GCP_ACTIVITY.ts';
import { k8sAudit } from '../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { machineDetails } from '../telemetry/datasets/MachineDetails.ts';
import { datasets } from '../telemetry/datasets.ts';
import type { ResourceFacts } from '../telemetry/resource.ts';
import { recordResources } from '../telemetry/snapshot.sample.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import type { Entity } from './finding.ts';
import { Hosts } from './hosts.ts';
import { resourcesOf } from './violation-resources.ts';

let place: TestTelemetry;
let language: QueryLanguage;
beforeAll(async () => {
  place = await TestTelemetry.start();
  language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
});
afterAll(() => place.stop());

const instant = () => new Date(place.clock.now() - 1_000).toISOString();
const hour = () => ({ startTime: instant(), endTime: new Date(place.clock.now()).toISOString() });

/** The single row of a query, as the engine returns it. */
async function rowOf(source: string, columns: string): Promise<Record<string, unknown>> {
  const read = language.read(`{ source { ${source} } return { ${columns} } }`);
  const { telemetry, clock } = place;
  const range = { start: clock.now() - 86_400_000, end: clock.now() + 1 };
  const rows = new QueryRunner({ telemetry, clock }).run(read, { account: 'A', range, limit: 10 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of rows) chunks.push(chunk);
  const [row, ...more] = JSON.parse(`[${Buffer.concat(chunks)}]`);
  expect(more).toEqual([]);
  return row;
}

/** The non-empty attributes of the resources of a violation. */
function seen(row: Readonly<Record<string, unknown>>, entities: readonly Entity[] = []) {
  return Object.fromEntries(
    resourcesOf({ key: 'k', name: 'n', row, entities }).map(({ type, values, tags }) => [
      type,
      {
        ...Object.fromEntries(
          Object.entries(values)
            .filter(([, list]) => list.length > 0)
            .map(([field, list]) => [field, [...new Set(list)]]),
        ),
        ...(tags.size > 0 && { tags: Object.fromEntries(tags) }),
      },
    ]),
  );
}

async function keep(kind: string, facts: ResourceFacts, tags: object | undefined): Promise<void> {
  const now = place.clock.now() - 1_000;
  await recordResources(place.telemetry, {
    ...{ account: 'A', kind, cloudAccount: '1', started: now, ended: now },
    resources: [{ key: kind, facts, config: '{}', tags: tags && JSON.stringify(tags) }],
  });
}

describe('resources of activity events', () => {
  test('an AWS event belongs to the account and region that received it, not to those of the caller', async () => {
    await place.take(cloudTrailRawEvents, 'A', [
      {
        ...{ eventTime: instant(), eventID: 'e', eventName: 'StopLogging', awsRegion: 'eu-west-1' },
        ...{ eventSource: 'cloudtrail.amazonaws.com', recipientAccountId: '111122223333' },
        userIdentity: { type: 'AssumedRole', accountId: '999988887777' },
        requestParameters: { region: 'us-east-1', accountId: '444455556666' },
      },
    ]);
    const row = await rowOf('CloudTrailRawEvents', 'INSERT_ID, EVENT_TIME, EVENT');
    const expected = { AWS: { Account: ['111122223333'], Region: ['eu-west-1'] } };
    expect(seen(row)).toEqual(expected);
    expect(seen({ EVENT: JSON.stringify(row.EVENT) })).toEqual(expected);
    expect(seen({ EVENT: { userIdentity: { accountId: '999988887777' } } })).toEqual({
      AWS: { Account: ['999988887777'] },
    });
  });

  test('a Google Cloud event has project, organization and region', async () => {
    await place.take(gcpActivity, 'A', [
      {
        ...{ timestamp: instant(), insertId: 'i', logName: 'projects/shop/logs/activity' },
        resource: { type: 'gce_instance', labels: { project_id: 'shop', zone: 'europe-west1-b' } },
        protoPayload: {
          ...{ serviceName: 'compute.googleapis.com', methodName: 'insert' },
          resourceName: 'projects/shop/zones/europe-west1-b/instances/web',
        },
      },
    ]);
    const expected = { GCP: { 'Project ID': ['shop'], Region: ['europe-west1'] } };
    expect(seen(await rowOf('LW_ACT_GCP_ACTIVITY', 'EVENT'))).toEqual(expected);
    expect(seen(await rowOf('LW_ACT_GCP_ACTIVITY', 'PROJECT_ID'))).toEqual({
      GCP: { 'Project ID': ['shop'] },
    });
    expect(seen({ EVENT: { logName: 'organizations/42/logs/x' } })).toEqual({
      GCP: { 'Organization ID': ['42'] },
    });
    expect(seen({ EVENT: { protoPayload: { resourceName: 'projects/_/buckets/b' } } })).toEqual({});
  });

  test('a Kubernetes event has cluster and namespace', async () => {
    const clusterId = 'arn:aws:eks:us-east-1:111122223333:cluster/prod';
    await place.take(k8sAudit, 'A', [
      {
        ...{ stageTimestamp: instant(), auditID: 'a', stage: 'ResponseComplete', verb: 'create' },
        ...{ requestURI: '/', user: { username: 'u' }, clusterId, clusterType: 'EKS' },
        objectRef: { resource: 'pods', namespace: 'payments', name: 'p' },
      },
    ]);
    const expected = {
      KUBERNETES: {
        'AWS Account': ['111122223333'],
        'AWS Region': ['us-east-1'],
        'Cluster Name': [clusterId, 'prod'],
        Namespace: ['payments'],
      },
    };
    const columns = 'INSERT_ID, CLUSTER_ID, CLUSTER_TYPE, OBJECT_NAMESPACE';
    expect(seen(await rowOf('LW_ACT_K8S_AUDIT', columns))).toEqual(expected);
    expect(seen(await rowOf('LW_ACT_K8S_AUDIT', 'EVENT_JSON'))).toEqual(expected);
  });
});

describe('resources of configurations', () => {
  const columns = 'URN as RESOURCE_KEY, RESOURCE_REGION, RESOURCE_TAGS';

  test('an AWS resource has account, alias, organization, region and tags', async () => {
    const arn = 'arn:aws:ec2:us-west-2:111122223333:instance/i-1';
    const facts = {
      ...{ URN: arn, ACCOUNT_ID: '111122223333', ACCOUNT_ALIAS: 'prod', RESOURCE_REGION: 'us-west-2' },
      ORGANIZATION_ID: 'o-1',
    };
    await keep('LW_CFG_AWS_EC2_INSTANCES', facts, { Env: 'prod', Size: 3 });
    const row = await rowOf(
      'LW_CFG_AWS_EC2_INSTANCES',
      `${columns}, ACCOUNT_ID, ACCOUNT_ALIAS, ORGANIZATION_ID`,
    );
    const expected = {
      ...{ Account: ['111122223333', 'prod'], 'Organization ID': ['o-1'], Region: ['us-west-2'] },
      tags: { Env: 'prod', Size: '3' },
    };
    expect(seen(row)).toEqual({ AWS: expected });
    const list = [
      { Key: 'Env', Value: 'prod' },
      { key: 'Size', value: 3 },
    ];
    expect(seen({ ...row, RESOURCE_TAGS: list })).toEqual({ AWS: expected });
    expect(seen({ ARN: arn })).toEqual({ AWS: { Account: ['111122223333'], Region: ['us-west-2'] } });
    expect(seen({ ARN: 'arn:aws:s3:::bucket', RESOURCE_REGION: 'us-west-2' })).toEqual({
      AWS: { Region: ['us-west-2'] },
    });
    expect(seen({ ARN: 'arn:aws:iam::aws:policy/AdministratorAccess' })).toEqual({ AWS: {} });
  });

  test('an Azure resource has tenant, subscription, region and tags', async () => {
    const facts = {
      ...{ URN: '/subscriptions/S-1/resourceGroups/r/providers/x', TENANT_ID: 'T-1', TENANT_NAME: 'Shop' },
      ...{ SUBSCRIPTION_ID: 'S-1', SUBSCRIPTION_NAME: 'Main', RESOURCE_REGION: 'eastus' },
    };
    const kind = 'LW_CFG_AZURE_COMPUTE_VIRTUALMACHINES';
    await keep(kind, facts, { Owner: 'ops' });
    const row = await rowOf(kind, `${columns}, TENANT_ID, TENANT_NAME, SUBSCRIPTION_NAME`);
    expect(seen(row)).toEqual({
      AZURE: {
        ...{ 'Tenant ID': ['T-1'], 'Tenant Name': ['Shop'], 'Subscription ID': ['S-1'] },
        ...{ 'Subscription Name': ['Main'], Region: ['eastus'], tags: { Owner: 'ops' } },
      },
    });
  });

  test('a Google Cloud resource has project, organization, folders, region and labels', async () => {
    const facts = {
      ...{
        URN: '//compute.googleapis.com/projects/shop/zones/us-central1-a/instances/n',
        PROJECT_ID: 'shop',
      },
      ...{
        ORGANIZATION_ID: '42',
        ORGANIZATION_NAME: 'Shop',
        FOLDER_IDS: '["7","8"]',
        FOLDER_NAMES: '["Web"]',
      },
    };
    await keep('LW_CFG_GCP_COMPUTE_INSTANCE', facts, { team: 'web' });
    const row = await rowOf(
      'LW_CFG_GCP_COMPUTE_INSTANCE',
      `${columns}, PROJECT_ID, ORGANIZATION_ID, ORGANIZATION_NAME, FOLDER_IDS, FOLDER_NAMES`,
    );
    expect(seen(row)).toEqual({
      GCP: {
        ...{ 'Organization ID': ['42'], 'Organization Name': ['Shop'], Folder: ['7', '8', 'Web'] },
        ...{ 'Project ID': ['shop'], Region: ['us-central1'], tags: { team: 'web' } },
      },
    });
  });

  test('an Oracle Cloud resource has compartment, region and tags, and is not taken for Azure', async () => {
    const facts = {
      ...{ URN: 'ocid1.volume.oc1.eu-frankfurt-1.abc', TENANT_ID: 'ocid1.tenancy.oc1..t' },
      ...{ COMPARTMENT_ID: 'ocid1.compartment.oc1..c', COMPARTMENT_NAME: 'web' },
    };
    await keep('LW_CFG_OCI_BV_VOLUME', facts, { a: 'b' });
    const row = await rowOf(
      'LW_CFG_OCI_BV_VOLUME',
      `${columns}, TENANT_ID, COMPARTMENT_ID, COMPARTMENT_NAME`,
    );
    expect(seen(row)).toEqual({
      OCI: {
        ...{ 'Compartment ID': ['ocid1.compartment.oc1..c'], 'Compartment Name': ['web'] },
        ...{ Region: ['eu-frankfurt-1'], tags: { a: 'b' } },
      },
    });
  });
});

describe('resources of hosts', () => {
  const tags = {
    ...{ VmProvider: 'AWS', Account: '111122223333', Zone: 'us-east-1b', Env: 'prod' },
    ...{ Cluster: 'NOT_AVAILABLE', KubernetesCluster: 'prod' },
  };

  test('a host has tags and belongs to the account of its cloud', async () => {
    await place.take(machineDetails, 'A', [
      {
        ...{
          createdTime: instant(),
          mid: 7,
          hostname: 'web',
          domain: '(none)',
          os: 'Ubuntu',
          osVersion: '24',
        },
        ...{ kernel: 'Linux', kernelRelease: '6', kernelVersion: '1', tags },
      },
    ]);
    const { Cluster, ...known } = tags;
    const expected = {
      AWS: { Account: ['111122223333'], Region: ['us-east-1'], tags: known },
      MACHINE: { tags: known },
    };
    expect(seen(await rowOf('LW_HE_MACHINES', 'MID, HOSTNAME, TAGS'))).toEqual(expected);
    const host = { kind: 'Machine', key: { mid: 7 }, props: { hostname: 'web', tags } };
    expect(seen({ MID: 7, USERNAME: 'root' }, [host])).toEqual(expected);
    expect(seen({ MID: 7 })).toEqual({ MACHINE: {} });
  });

  test('hosts known only by id are looked up, and the newest name and tags apply', async () => {
    const { telemetry, clock } = place;
    const lookup = new Hosts({ language, runner: new QueryRunner({ telemetry, clock }), clock });
    const record = (mid: string, name: string, minutes: number) =>
      JSON.stringify({
        ...{ createdTime: new Date(clock.now() - minutes * 60_000).toISOString(), mid: 0 },
        hostname: `${name}.example`,
        ...{ domain: '', os: '', osVersion: '', kernel: '', kernelRelease: '', kernelVersion: '' },
        tags: { Env: name },
      }).replace('"mid":0', `"mid":${mid}`);
    const long = '9007199254740993';
    const body = [record(long, 'new', 1), record(long, 'old', 90), record('12', 'other', 1)].join('\n');
    const request = {
      account: 'A',
      dataset: machineDetails,
      form: 'lines',
      idempotencyKey: undefined,
    } as const;
    await telemetry.intake.ingest({ ...request, body });
    const violation = (row: object) => ({ key: '', name: '', entities: [], row: row as never });
    const rows = [{ MID: BigInt(long) }, { MID: 12, TAGS: {} }, { MID: 99 }, {}, { MID: ') or (1 = 1' }];
    const hosts = await lookup.of('A', rows.map(violation));
    expect(hosts).toEqual(
      new Map([
        [long, { name: 'new.example', tags: { Env: 'new' } }],
        ['12', { name: 'other.example', tags: { Env: 'other' } }],
      ]),
    );
    const itself = [violation({ MID: 12, TAGS: {}, HOSTNAME: 'itself' })];
    expect(await lookup.of('A', itself)).toEqual(new Map());
    expect(await lookup.of('B', rows.map(violation))).toEqual(new Map());
    const known = { ...violation({ MID: long }), machineTags: hosts.get(long)?.tags };
    expect(resourcesOf(known)).toEqual([{ type: 'MACHINE', values: {}, tags: new Map([['Env', 'new']]) }]);
  });

  test('a host in Google Cloud belongs to its project', () => {
    const here = { VmProvider: 'GCE', ProjectId: 'shop', Zone: 'us-central1-a' };
    expect(seen({ MID: 1, TAGS: here })).toMatchObject({
      GCP: { 'Project ID': ['shop'], Region: ['us-central1'], tags: here },
    });
  });

  test('a container has image, labels and namespace', async () => {
    const labels = { app: 'shop', 'io.kubernetes.pod.namespace': 'payments' };
    await place.take(containers, 'A', [
      {
        ...hour(),
        ...{ mid: 7, containerName: 'web', imageId: 'sha256:1', tags: {} },
        propsContainer: { IMAGE_REPO: 'ghcr.io/acme/shop', IMAGE_TAG: 'v1', PROPS_LABEL: labels },
      },
    ]);
    const row = await rowOf('LW_HE_CONTAINERS', 'MID, CONTAINER_NAME, REPO, TAG, PROPS_LABEL');
    expect(seen(row)).toEqual({
      CONTAINER: {
        ...{ 'Image Tag': ['v1'], 'Container Tag': ['v1'], 'Image Registry': ['ghcr.io'] },
        ...{ 'Image Repo': ['ghcr.io/acme/shop', 'acme/shop'], tags: labels },
      },
      KUBERNETES: { Namespace: ['payments'] },
      MACHINE: {},
    });
    expect(seen({ REPO: 'acme/shop' })).toEqual({ CONTAINER: { 'Image Repo': ['acme/shop'] } });
  });
});

test('a row without resource attributes has no resources', () => {
  expect(seen({ USERNAME: 'root', COUNT: 3, NOTE: null, EVENT: '{broken', constructor: 'x' })).toEqual({});
});

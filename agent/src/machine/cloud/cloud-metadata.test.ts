import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observe } from '../../testing/ingest.ts';
import { TestHost } from '../../testing/test-host.ts';
import { MachineReader } from '../machine-facts.ts';
import { MachineSource } from '../machine-source.ts';
import { CloudMetadata } from './cloud-metadata.ts';

type Respond = (request: IncomingMessage) => string | undefined;

let host: TestHost;
let server: Server;
let respond: Respond;
let requests: string[];
let cloud: CloudMetadata;
beforeEach(async () => {
  host = new TestHost();
  requests = [];
  respond = () => undefined;
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const body = respond(request);
    if (request.headers['metadata-flavor']) response.setHeader('Metadata-Flavor', 'Google');
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cloud = new CloudMetadata(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  host.remove();
  server.closeAllConnections();
  server.close();
});

const vendor = (name: string) => host.write('sys/class/dmi/id/sys_vendor', `${name}\n`);

/** As documented for the second version of the service. */
const aws: Respond = ({ method, url = '', headers }) => {
  if (url === '/latest/api/token')
    return method === 'PUT' && headers['x-aws-ec2-metadata-token-ttl-seconds'] ? 'session==' : undefined;
  if (headers['x-aws-ec2-metadata-token'] !== 'session==') return undefined;
  const values: Readonly<Record<string, string>> = {
    '/latest/dynamic/instance-identity/document': JSON.stringify({
      ...{ accountId: '123456789012', architecture: 'x86_64', availabilityZone: 'us-west-2b' },
      ...{ imageId: 'ami-5fb8c835', instanceId: 'i-1234567890abcdef0', instanceType: 't2.micro' },
    }),
    '/latest/meta-data/public-ipv4': '203.0.113.9',
    '/latest/meta-data/mac': '02:29:96:8f:6a:2d',
    '/latest/meta-data/network/interfaces/macs/02:29:96:8f:6a:2d/subnet-id': 'subnet-be9b61d7',
    '/latest/meta-data/network/interfaces/macs/02:29:96:8f:6a:2d/vpc-id': 'vpc-1',
    '/latest/meta-data/tags/instance': 'Name\nTeam',
    '/latest/meta-data/tags/instance/Name': 'web',
    '/latest/meta-data/tags/instance/Team': 'shop',
  };
  return values[url];
};

const gcp: Respond = ({ url = '', headers }) => {
  if (headers['metadata-flavor'] !== 'Google' || headers.host !== 'metadata.google.internal')
    return undefined;
  const values: Readonly<Record<string, string>> = {
    'instance/id': '4520031799277581759',
    'instance/name': 'web-1',
    'instance/zone': 'projects/1234/zones/europe-west1-b',
    'instance/machine-type': 'projects/1234/machineTypes/e2-small',
    'project/project-id': 'shop',
    'project/numeric-project-id': '1234',
    'instance/network-interfaces/0/access-configs/0/external-ip': '203.0.113.10',
  };
  return values[url.replace('/computeMetadata/v1/', '')];
};

const azure: Respond = ({ url, headers }) =>
  headers.metadata === 'true' && url?.startsWith('/metadata/instance?api-version=')
    ? JSON.stringify({
        compute: {
          ...{ vmId: '02aab8a4-74ef-476e-8182-f6d2ba4166a6', name: 'web', vmSize: 'Standard_A3' },
          ...{ location: 'westus', zone: '1', subscriptionId: 'sub', resourceGroupName: 'shop' },
          ...{ userData: 'secret', tagsList: [{ name: 'Team', value: 'shop' }] },
        },
        network: {
          interface: [
            { ipv4: { ipAddress: [{ privateIpAddress: '10.0.0.4', publicIpAddress: '203.0.113.11' }] } },
          ],
        },
      })
    : undefined;

test.each<[string, Respond, object]>([
  [
    'Amazon EC2',
    aws,
    {
      ...{
        VmProvider: 'AWS',
        InstanceId: 'i-1234567890abcdef0',
        Zone: 'us-west-2b',
        Account: '123456789012',
      },
      ...{ AmiId: 'ami-5fb8c835', ExternalIp: '203.0.113.9', SubnetId: 'subnet-be9b61d7', VpcId: 'vpc-1' },
      ...{ VmInstanceType: 't2.micro', Name: 'web', InstanceName: 'web', Team: 'shop' },
    },
  ],
  [
    'Google',
    gcp,
    {
      ...{ VmProvider: 'GCE', InstanceId: '4520031799277581759', Zone: 'europe-west1-b', ProjectId: 'shop' },
      ...{ NumericProjectId: '1234', InstanceName: 'web-1', VmInstanceType: 'e2-small' },
      ExternalIp: '203.0.113.10',
    },
  ],
  [
    'Microsoft Corporation',
    azure,
    {
      ...{ VmProvider: 'Azure', InstanceId: '02aab8a4-74ef-476e-8182-f6d2ba4166a6', Zone: 'westus-1' },
      ...{ InstanceName: 'web', VmInstanceType: 'Standard_A3', ExternalIp: '203.0.113.11', Team: 'shop' },
    },
  ],
])('an instance of %s has its tags, with and without a known vendor', async (name, answers, tags) => {
  respond = answers;
  const unknown = await observe(host, new MachineSource(new MachineReader({ tags: {}, cloud })));
  vendor(name);
  host.time += 3_600_000;
  const known = await observe(host, new MachineSource(new MachineReader({ tags: {}, cloud })));
  for (const { records } of [unknown, known]) {
    expect(records['Entities/Machines']?.[0]?.machineTags).toMatchObject(tags);
    expect(JSON.stringify(records)).not.toContain('secret');
  }
});

test('instances of AWS have its own members', async () => {
  respond = aws;
  const { records } = await observe(host, new MachineSource(new MachineReader({ tags: {}, cloud })));
  expect(records['Entities/MachineDetails']?.[0]).toMatchObject({
    ...{ awsInstanceId: 'i-1234567890abcdef0', awsZone: 'us-west-2b' },
    machineId: { instanceId: 'i-1234567890abcdef0' },
  });
});

test('a host of another vendor asks nothing', async () => {
  vendor('Dell Inc.');
  expect(await cloud.instance(host)).toBeUndefined();
  expect(requests).toEqual([]);
});

test('only the cloud of the vendor is asked', async () => {
  vendor('Google');
  await cloud.instance(host);
  expect(requests).toEqual(['GET /computeMetadata/v1/instance/id']);
});

test('it is asked once an hour, and what was known remains', async () => {
  vendor('Microsoft Corporation');
  await cloud.instance(host);
  host.time += 3_599_999;
  respond = azure;
  expect(await cloud.instance(host)).toBeUndefined();
  expect(requests.length).toBe(1);
  host.time += 1;
  expect(await cloud.instance(host)).toMatchObject({ provider: 'Azure' });
  respond = () => undefined;
  host.time += 3_600_000;
  expect(await cloud.instance(host)).toMatchObject({ provider: 'Azure' });
  expect(requests.length).toBe(3);
});

test.each(['{"compute":null}', '[]', 'null', '{"compute":{"vmId":7}}', 'x'.repeat(300_000)])(
  'response %# is not that of a cloud',
  async (body) => {
    respond = () => body;
    expect(await cloud.instance(host)).toBeUndefined();
  },
);

test('a service that never answers is given up', async () => {
  vendor('Microsoft Corporation');
  server.removeAllListeners('request');
  expect(await cloud.instance(host)).toBeUndefined();
});

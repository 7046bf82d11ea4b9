import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from '@vedette/server/testing/service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DatasetPath } from '../datasets.ts';
import type { Batch, Entry } from '../journal/entry.ts';
import { Connection } from './connection.ts';
import { Sender } from './sender.ts';
import { TokenFile } from './token-file.ts';

/**
 * What agents of the first release report at least: T time, N integer, S string, J object. Members that are declared later
 * must be optional, so that these records remain valid. Do not add to it.
 */
const firstRelease: Readonly<Record<DatasetPath, string>> = {
  AgentInfo: 'createdTime T, lastUpdate T, mid N, agentVersion S, hostname S, ipAddr S, mode S, os S',
  'Entities/Machines': 'startTime T, endTime T, mid N, primaryIpAddr S, entityType S',
  'Entities/MachineDetails':
    'createdTime T, mid N, hostname S, domain S, os S, osVersion S, kernel S, kernelRelease S, kernelVersion S',
  'Entities/Processes':
    'startTime T, endTime T, mid N, pid N, ppid N, uid N, username S, filePath S, cmdlineHash S, processStartTime T',
  'Entities/Applications':
    'startTime T, endTime T, mid N, appName S, exePath S, username J, propsMachine J, netStats J, props J',
  'Entities/Packages': 'createdTime T, mid N, packageName S, version S, arch S',
  'Entities/Users': 'createdTime T, mid N, username S, uid N, primaryGroupName S',
  'Entities/NetworkInterfaces': 'createdTime T, mid N, name S, hwAddr S, ipAddr S',
  'Entities/InternalIPAddresses': 'startTime T, endTime T, mid N, ipAddr S',
  'Entities/Containers':
    'startTime T, endTime T, mid N, containerName S, imageId S, propsContainer J, tags J',
  'Entities/Images': 'createdTime T, mid N, imageId S, repo S, tag S, size N, containerType S',
  'Entities/K8sPods': 'startTime T, endTime T, mid N, podName S, primaryIpAddr S, propsContainer J',
  'Entities/Files': 'createdTime T, mid N, filePath S, filedataHash S, size N, mtime S',
  'Entities/NewFileHashes': 'startTime T, endTime T, filedataHash S',
  'Activities/ChangedFiles': 'startTime T, endTime T, mid N, filePath S, filedataHash S, mtime S, size N',
  'Activities/Connections':
    'startTime T, endTime T, srcEntityType S, srcEntityId J, dstEntityType S, dstEntityId J, srcInBytes N, srcOutBytes N, dstInBytes N, dstOutBytes N, numConns N',
  'Activities/DNSs': 'createdTime T, mid N, fqdn S, hostIpAddr S, ttl N, dnsServerIp S',
  'Activities/UserLogins': 'createdTime T, activityTime T, activityType S, mid N, username S',
  LW_HA_SYSCALLS_EXEC: 'createdTime T, mid N, pid N, exePath S',
  LW_HE_ACCESS_SSH_AUTHORIZED_KEYS:
    'createdTime T, mid N, filePath S, sshKeyType S, fingerprintOpensshSha256 S',
  LW_HE_SECRETS_ALL: 'createdTime T, mid N, filePath S, secretType S',
};
const paths = Object.keys(firstRelease) as DatasetPath[];

let service: TestService;
let token: string;
let configured: string;
let directory: string;
let messages: string[];
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  const body = { tokenAlias: 'hosts', tokenEnabled: 1 };
  const created = await service.request('POST', '/api/v2/AgentAccessTokens', { token, body });
  configured = created.body.data.accessToken;
  directory = mkdtempSync(join(tmpdir(), 'vedette-skew-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await service.stop();
});
beforeEach(() => {
  messages = [];
});

function recordOf(path: DatasetPath, mid: number): Record<string, unknown> {
  const values = { T: new Date(service.clock.now() - 1_000).toISOString(), N: mid, S: 'a', J: { a: 1 } };
  const members = firstRelease[path].split(', ').map((member) => member.split(' ') as [string, 'T']);
  return Object.fromEntries(members.map(([name, type]) => [name, values[type]]));
}

/** Sends each batch as an entry of its own; returns the number of rejected records. */
async function send(batches: readonly Batch[], id: string): Promise<number> {
  const entries = batches.map(
    (batch, index): Entry => ({
      ...{ number: index + 1, source: 'test', cursor: undefined, hour: 1, batches: [batch] },
      digests: new Map(),
    }),
  );
  const connection = new Connection({ url: service.url, environment: {} });
  const tokens = await TokenFile.open(directory, configured);
  const sender = new Sender({
    journal: { id, next: async () => entries[0], acknowledge: async () => void entries.shift() },
    ...{ connection, token: () => tokens.token, onToken: (given: string) => tokens.keep(given) },
    ...{ now: () => service.clock.now(), random: () => 0 },
    wait: () => Promise.reject(new Error(messages.join('\n'))),
    log: (message) => messages.push(message),
  });
  try {
    expect(await sender.sendWaiting(new AbortController().signal)).toBe(batches.length);
    return sender.rejected;
  } finally {
    connection.close();
  }
}

const search = async (path: string, field: string, value: unknown) => {
  const body = { filters: [{ field, expression: 'eq', value }] };
  return (await service.request('POST', `/api/v2/${path}/search`, { token, body })).body.data;
};

test('the server stores the records of an older agent, which lacks optional members', async () => {
  const batches = paths.map((path) => ({ path, body: JSON.stringify(recordOf(path, 1)) }));
  expect([await send(batches, 'older'), messages]).toEqual([0, []]);
  expect(await search('Entities/Users', 'mid', 1)).toEqual([recordOf('Entities/Users', 1)]);
  expect(await search('AgentInfo', 'mid', 1)).toEqual([{ ...recordOf('AgentInfo', 1), status: 'ACTIVE' }]);
});

test('the server stores the records of a newer agent, with the members that it does not know', async () => {
  const added = { addedLater: { level: 3 }, addedList: [1, 'a', null], status: 'DEGRADED' };
  const batches = paths.map((path) => ({ path, body: JSON.stringify({ ...recordOf(path, 2), ...added }) }));
  expect([await send(batches, 'newer'), messages]).toEqual([0, []]);
  expect(await search('Entities/Users', 'addedLater.level', 3)).toEqual([
    { ...recordOf('Entities/Users', 2), ...added },
  ]);
  expect(await search('AgentInfo', 'addedLater.level', 3)).toEqual([
    { ...recordOf('AgentInfo', 2), ...added, status: 'ACTIVE' },
  ]);
});

test('a dataset that the server does not know costs none of the others', async () => {
  const known: Batch = { path: 'Entities/Users', body: JSON.stringify(recordOf('Entities/Users', 3)) };
  const unknown = { path: 'Entities/AddedLater' as DatasetPath, body: '{"mid":3}\n{"mid":3}' };
  expect(await send([unknown, known], 'new dataset')).toBe(2);
  expect(await search('Entities/Users', 'mid', 3)).toHaveLength(1);
});

test('an agent takes a rotated token from the server, also after a restart of the agent', async () => {
  const rotated = await service.request('POST', `/api/v2/AgentAccessTokens/${configured}/rotate`, { token });
  const batch = (mid: number): Batch => ({
    path: 'Entities/Users',
    body: JSON.stringify(recordOf('Entities/Users', mid)),
  });
  expect(await send([batch(4), batch(5)], 'rotation')).toBe(0);
  expect(messages).toEqual(['The server has replaced the access token.']);
  expect((await TokenFile.open(directory, configured)).token).toBe(rotated.body.data.accessToken);
  service.clock.advance(8 * 24 * 3_600_000);
  messages = [];
  expect([await send([batch(6)], 'after the grace period'), messages]).toEqual([0, []]);
});

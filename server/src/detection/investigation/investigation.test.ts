import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatasourceCatalogue } from '../../datasources/catalogue.ts';
import { QueryLanguage } from '../../querying/language.ts';
import { QueryRunner } from '../../querying/runner.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { changedFiles } from '../../telemetry/datasets/ChangedFiles.ts';
import { cloudTrailRawEvents } from '../../telemetry/datasets/CloudTrailRawEvents.ts';
import { dnss } from '../../telemetry/datasets/DNSs.ts';
import { k8sAudit } from '../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { machineDetails } from '../../telemetry/datasets/MachineDetails.ts';
import { userLogins } from '../../telemetry/datasets/UserLogins.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { TestDetection } from '../../testing/detection.ts';
import { shippedPacks } from '../packs/pack.ts';
import { Investigation } from './investigation.ts';

const day = 24 * 3_600_000;
const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
/** Beyond the safe integers of JavaScript. */
const mid = '9007199254740993';

let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

const at = (ago = 0) => new Date(place.clock.now() - ago).toISOString();
async function take(dataset: TelemetryDataset, ...records: object[]): Promise<void> {
  const body = records.map((record) => JSON.stringify(record).replace(`"${mid}"`, mid)).join('\n');
  const request = { account: place.account, dataset, form: 'lines', idempotencyKey: undefined } as const;
  await place.telemetry.intake.ingest({ ...request, body });
}

/** Triggers an alert and returns the answers to its questions. */
async function answersFor(query: string, happen: () => Promise<void>): Promise<Record<string, string>> {
  await place.policy('watch', query);
  await take(machineDetails, {
    ...{ createdTime: at(1_000), mid, hostname: 'web-1.example', domain: '', os: '', osVersion: '' },
    ...{ kernel: '', kernelRelease: '', kernelVersion: '' },
  });
  await place.tick();
  await happen();
  await place.tick();
  const alert = (await place.alerts()).at(-1);
  if (!alert) throw new Error('there is no alert');
  const { telemetry, clock } = place;
  const runner = new QueryRunner({ telemetry, clock });
  const signal = new AbortController().signal;
  const answers = await new Investigation(alert, { language, runner, signal }).answers();
  return Object.fromEntries(answers.map(({ question, answer }) => [question, answer]));
}

const login = (given: object, ago = 0) => ({
  ...{ createdTime: at(ago), activityTime: at(ago), activityType: 'LOGIN', mid, username: "o'hara" },
  ...{ sourceIpAddr: '203.0.113.9', tty: 'pts/1' },
  ...given,
});

describe('questions about an alert', () => {
  test('of a login ask whether user, host and address were seen together before', async () => {
    await take(userLogins, login({ sourceIpAddr: '10.90.0.4', mid: 8 }, 3 * day));
    await take(userLogins, login({ sourceIpAddr: '2001:db8::9', mid: 8 }, 2 * day));
    await take(userLogins, login({ username: 'ben' }, 2 * day), login({}, 31 * day));
    const query = `{ source { LW_HA_SSH_LOGINS } filter { USERNAME = s'o''hara' and MID = ${mid} and FINGERPRINT_OPENSSH_SHA256 = 'now' }
      return { RECORD_CREATED_TIME, LOGIN_TIME, MID, USERNAME, IP_ADDR } }`;
    expect(
      await answersFor(query, () => take(userLogins, login({ fingerprintOpensshSha256: 'now' }))),
    ).toEqual({
      "Is it the first time in 30 days that o'hara logged in to web-1.example?": 'Yes',
      "Did o'hara log in to other hosts in the 30 days before?": 'Yes, 1 host',
      "Did o'hara log in from 203.0.113.9 in the 30 days before?": 'No',
      "From which networks did o'hara log in in the 30 days before?": '10.90.0.0/24 and 2001:db8:0:0::/64',
      'Did other users log in from 203.0.113.9 in the 30 days before?': 'Yes',
    });
  });

  test('of a cloud API call ask whether the caller made it before, and from where', async () => {
    const call = (id: number, given: object, ago = 0) => ({
      ...{ eventTime: at(ago), eventID: `e${id}`, eventSource: 'cloudtrail.amazonaws.com' },
      ...{ eventName: 'StopLogging', awsRegion: 'eu-west-1', recipientAccountId: '123456789012' },
      sourceIPAddress: '203.0.113.7',
      userIdentity: { type: 'IAMUser', principalId: 'AIDAEVE', userName: 'eve', accountId: '123456789012' },
      ...given,
    });
    await take(
      cloudTrailRawEvents,
      call(1, { eventName: 'ListBuckets', sourceIPAddress: '198.51.100.7' }, 5 * day),
      call(2, { userIdentity: { type: 'IAMUser', principalId: 'AIDABEN', userName: 'ben' } }, 5 * day),
    );
    const query = `{ source { CloudTrailRawEvents } filter { EVENT:eventID = 'e3' }
      return { INSERT_ID, INSERT_TIME, EVENT_TIME, EVENT } }`;
    expect(await answersFor(query, () => take(cloudTrailRawEvents, call(3, {})))).toEqual({
      'Did eve authenticate with MFA?': 'No',
      'Is it the first time in 30 days that eve called StopLogging?': 'Yes',
      'Did eve call from 203.0.113.7 in the 30 days before?': 'No',
      'From which networks did eve call in the 30 days before?': '198.51.100.0/24',
      'Did other callers use 203.0.113.7 in the 30 days before?': 'Yes',
    });
  });

  test('of a Kubernetes request ask whether the user made such requests before', async () => {
    const request = (id: number, ago: number, given: object = {}) => ({
      ...{ stageTimestamp: at(ago), auditID: `r${id}`, stage: 'ResponseComplete', verb: 'create' },
      ...{ requestURI: '/api/v1/pods', user: { username: 'ana', groups: [] }, clusterId: 'shop' },
      ...{ objectRef: { resource: 'pods', namespace: 'shop', name: 'x' }, sourceIPs: ['198.51.100.7'] },
      ...given,
    });
    await take(k8sAudit, request(1, 2 * day, { clusterId: 'lab' }));
    const query = `{ source { LW_ACT_K8S_AUDIT } filter { CLUSTER_ID = 'shop' }
      return { INSERT_ID, EVENT_TIME, USER_NAME, EVENT_NAME, EVENT_OBJECT, CLUSTER_ID, EVENT_JSON } }`;
    expect(await answersFor(query, () => take(k8sAudit, request(2, 0)))).toEqual({
      'Did ana use cluster shop in the 30 days before?': 'No',
      'Is it the first time in 30 days that ana called create pods?': 'No',
      'From which networks did ana call in the 30 days before?': '198.51.100.0/24',
    });
  });

  test('of a changed file ask whether it changed before, and who was logged in', async () => {
    const change = (ago: number, on: string | number = mid) => ({
      ...{
        startTime: at(ago + 1_000),
        endTime: at(ago - 1_000),
        mid: on,
        filePath: '/usr/bin/sudo',
        size: 1,
      },
      ...{ filedataHash: 'a', mtime: '1', threatInfo: 'null', activity: 'modify' },
    });
    await take(changedFiles, change(2 * day, 8), change(2 * day, 9));
    await take(userLogins, login({ username: 'eve' }, 600_000), login({ username: 'ben' }, 2 * day));
    const query = `{ source { LW_HA_FILE_CHANGES } filter { MID = ${mid} }
      return { MID, PATH, ACTIVITY, ACTIVITY_START_TIME } }`;
    expect(await answersFor(query, () => take(changedFiles, change(0)))).toEqual({
      'Is it the first time in 30 days that /usr/bin/sudo changed on web-1.example?': 'Yes',
      'Did /usr/bin/sudo change on other hosts in the 30 days before?': 'Yes, 2 hosts',
      'Who logged in to web-1.example in the hour before?': 'eve',
    });
  });

  test('of a DNS query ask whether the name was queried before', async () => {
    const lookup = (ago: number, hostIpAddr: string) => ({
      ...{ createdTime: at(ago), mid, fqdn: 'pool.example', hostIpAddr, ttl: 1 },
      ...{ dnsServerIp: '10.0.0.2', pktlen: 1 },
    });
    await take(dnss, lookup(day, '10.0.0.1'));
    const query = `{ source { LW_HA_DNS_REQUESTS } filter { HOST_IP_ADDR = '10.0.0.9' }
      return { RECORD_CREATED_TIME, MID, HOSTNAME } }`;
    expect(await answersFor(query, () => take(dnss, lookup(0, '10.0.0.9')))).toEqual({
      'Is it the first time in 30 days that pool.example was queried by web-1.example?': 'No',
      'Did other hosts query pool.example in the 30 days before?': 'No',
      'Who logged in to web-1.example in the hour before?': 'No user',
    });
  });
});

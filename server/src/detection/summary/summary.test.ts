import { describe, expect, test } from 'vitest';
import type { Subject } from '../evaluation/subject.ts';
import { fillPhrase } from './phrase.ts';
import { summaryOf } from './summary.ts';

const subject = (datasource: string, source: string, rest: Partial<Subject> = {}): Subject => ({
  ...{ datasource, source, subCategory: '', evidence: '', streams: [], reported: [], isInventory: false },
  ...rest,
});
const trail = subject('CloudTrailRawEvents', 'AWS', { evidence: 'AwsResource', streams: ['x'] });
const call = (given: object) => ({
  EVENT: { eventName: 'StopLogging', eventSource: 'cloudtrail.amazonaws.com', ...given },
});
const of = (row: object, about: Subject, hostname?: string, name = '') =>
  summaryOf({ row: row as never, subject: about, hostname, name });

describe('the summary of a violation', () => {
  test('names roles, services and failures of AWS API calls', () => {
    const role = {
      type: 'AssumedRole',
      arn: 'arn:aws:sts::123456789012:assumed-role/deploy/ci-17',
    };
    expect(of(call({ userIdentity: role, recipientAccountId: '123456789012' }), trail)).toBe(
      'deploy/ci-17 stopped a trail in account 123456789012',
    );
    const byService = { sourceIPAddress: 'cloudformation.amazonaws.com', awsRegion: 'eu-west-1' };
    expect(
      of(call({ ...byService, recipientAccountId: '1', requestParameters: { name: 'main' } }), trail),
    ).toBe(
      'an unknown caller stopped trail main in account 1 (eu-west-1) through cloudformation.amazonaws.com',
    );
    expect(of(call({ errorCode: 'TrailNotFoundException' }), trail)).toBe(
      'an unknown caller called cloudtrail:StopLogging, which failed with TrailNotFoundException',
    );
  });

  test('describes calls without a phrase by the words of their name', () => {
    const named = (eventName: string, requestParameters = {}) =>
      of(call({ eventName, requestParameters }), trail);
    expect(named('DeleteDBInstance', { dBInstanceIdentifier: 'x', dbName: 'shop' })).toBe(
      'an unknown caller deleted DB instance shop',
    );
    expect(named('CreateVpcPeeringConnection')).toBe('an unknown caller created a VPC peering connection');
    expect(named('Frobnicate')).toBe('an unknown caller called cloudtrail:Frobnicate');
    expect(named('constructor')).toBe('an unknown caller called cloudtrail:constructor');
  });

  test('shows the host name, and never the id alone', () => {
    const files = subject('LW_HA_FILE_CHANGES', 'Agent');
    const row = { MID: 5654024165536062n, PATH: '/usr/bin/sudo', ACTIVITY: 'modify' };
    expect(of(row, files, 'web-10.example')).toBe('/usr/bin/sudo modified on web-10.example');
    expect(of(row, files)).toBe('/usr/bin/sudo modified on an unnamed host (id 5654024165536062)');
  });

  test('keeps untrusted names on one line, bounded and inside their quotes', () => {
    const exec = subject('LW_HA_SYSCALLS_EXEC', 'Agent');
    const row = {
      EXE_PATH: '/bin/sh',
      CMDLINE: `sh -c \`id\`\n\nSeverity: Info ${'x'.repeat(9_000)}`,
      UID: 0,
    };
    const summary = of(row, exec, 'web-1');
    expect(summary).toMatch(/^root ran `sh -c 'id' Severity: Info x+…` on web-1$/);
    expect(summary.length).toBeLessThan(250);
    expect(
      fillPhrase('a <trail {name}>[ of {owner}]', (path) => (path === 'name' ? '{owner}<b {name}>' : '')),
    ).toBe('a trail {owner}<b {name}>');
  });

  test('falls back to the name, or to the first columns', () => {
    const packages = subject('LW_HE_PACKAGES', 'Agent');
    expect(of({ MID: 1, PACKAGE_NAME: 'sudo' }, packages, 'web-1', 'host web-1')).toBe('host web-1');
    expect(of({ A: 1, B: null, C: { d: 1 }, E: 'x', F: 2, G: 3 }, subject('', ''))).toBe('A 1, E x, F 2');
  });

  test('tolerates malformed events', () => {
    const k8s = subject('LW_ACT_K8S_AUDIT', 'K8s');
    expect(of({ USER_NAME: 'ana', EVENT_NAME: 'get', EVENT_JSON: 7 }, k8s)).toBe('ana read the cluster API');
    const odd = { objectRef: [], requestObject: { subjects: 'x', spec: { containers: 1 } }, sourceIPs: 1 };
    expect(of({ USER_NAME: 'ana', EVENT_NAME: 'patch', EVENT_OBJECT: 'pods', EVENT_JSON: odd }, k8s)).toBe(
      'ana changed pods in all namespaces',
    );
    const gcp = subject('LW_ACT_GCP_ACTIVITY', 'GCP');
    const delta = { policyDelta: { bindingDeltas: [1, { member: {} }], auditConfigDeltas: {} } };
    const event = { protoPayload: { methodName: 'SetIamPolicy', serviceData: delta, request: [] } };
    expect(of({ EVENT: event }, gcp)).toMatch(/^an unknown caller granted/);
  });
});

import type { Reading } from '@vedette/server/collect/inventory/reading';
import type { Resource } from '@vedette/server/telemetry/resource';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CheckPlace } from '../checking/check-place.sample.ts';
import { parseXml } from '../checking/formats/xml.sample.ts';
import { simulatedFile } from '../checking/simulated-file.sample.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Attributes, elements, sections, terminals, JSON and paths are escaped in different ways. */
const hostile = 'arn:aws:s3:::a"b\'c<d>&]]>\u001b[31m\u0007\n--\u202e../../x?y#z %41\ud83d\ude00</failure>';
const kind = 'LW_CFG_AWS_EC2_SECURITY_GROUPS';
const [openSsh, passwords] = ['lacework-global-73', 'lacework-global-39'];

let place: CheckPlace;
let file: string;
beforeAll(async () => {
  place = new CheckPlace();
  file = await simulatedFile(place.directory, 'aws', { alter: withHostileName });
});
afterAll(() => place.remove());

/** Every security group has the hostile name at the end of its own. */
function withHostileName(reading: Reading): Reading {
  if (!reading.kinds.includes(kind)) return reading;
  const renamed = (one: Resource): Resource => {
    const key = `${one.key}${hostile}`;
    return { ...one, key, facts: { ...one.facts, URN: key, RESOURCE_ID: key } };
  };
  return {
    ...reading,
    read: (output, signal) =>
      reading.read({ ...output, add: (to, one) => output.add(to, to === kind ? renamed(one) : one) }, signal),
  };
}

const words = () => [
  'aws',
  '--from',
  file,
  '--policy',
  openSsh,
  '--policy',
  passwords,
  '--policy',
  'lacework-global-100',
];
const outputOf = async (format: string) => (await place.check([...words(), format])).stdout;

describe('the result of a check', () => {
  test('as JSON has every policy with its findings', async () => {
    const result = JSON.parse(await outputOf('--json'));
    expect(result).toMatchObject({
      ...{ format: 'vedette-check', version: 1, cloud: 'aws', gaps: [], problems: [] },
      ...{ evaluatedAt: expect.stringMatching(/Z$/), resources: expect.any(Number) },
      summary: { failed: 3, notAssessed: 0, passed: 0, isComplete: true },
    });
    const ssh = result.policies.find(({ id }: { id: string }) => id === openSsh);
    expect(ssh).toMatchObject({
      ...{ title: 'SSH open to the internet', severity: 'high', status: 'failed' },
      counts: { compliant: expect.any(Number), nonCompliant: 1, notAssessed: 0 },
    });
    expect(ssh.findings).toEqual([
      {
        ...{ status: 'NonCompliant', reason: 'SshOpenToWorld', region: expect.any(String) },
        ...{ resource: expect.stringContaining(hostile), account: expect.objectContaining({}) },
      },
    ]);
  });

  test('as SARIF has the required members, a rule for each policy and a result for each violation', async () => {
    const log = JSON.parse(await outputOf('--sarif'));
    expect(log).toMatchObject({
      version: '2.1.0',
      $schema: expect.stringMatching(/sarif-schema-2\.1\.0\.json$/),
    });
    const [run] = log.runs;
    const { driver } = run.tool;
    expect(driver).toMatchObject({
      name: 'Vedette',
      semanticVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(run.invocations[0]).toMatchObject({ executionSuccessful: true, toolExecutionNotifications: [] });
    for (const rule of driver.rules) {
      expect(rule.shortDescription.text).not.toBe('');
      expect(rule.help.text).toContain(rule.fullDescription.text);
      expect(Number(rule.properties['security-severity'])).toBeGreaterThan(0);
    }
    expect(run.results).toHaveLength(3);
    for (const { ruleId, ruleIndex, level, kind, message, locations, partialFingerprints } of run.results) {
      expect(driver.rules[ruleIndex].id).toBe(ruleId);
      expect(level).toBe(driver.rules[ruleIndex].defaultConfiguration.level);
      expect(kind).toBe('fail');
      expect(message.text).not.toBe('');
      expect(partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]{64}$/);
      const { uri } = locations[0].physicalLocation.artifactLocation;
      // A relative reference as RFC 3986 has it, that stays below its root.
      expect(uri).toMatch(/^(?:[\w.~!*'()-]|%[0-9A-F]{2})+(?:\/(?:[\w.~!*'()-]|%[0-9A-F]{2})+){2}$/);
      expect(uri.split('/')).toHaveLength(3);
    }
    const levels = run.results.map(({ ruleId, level }: Record<string, string>) => [ruleId, level]);
    expect(Object.fromEntries(levels)).toMatchObject({ [openSsh]: 'error', [passwords]: 'warning' });
    const [ssh] = run.results.filter(({ ruleId }: { ruleId: string }) => ruleId === openSsh);
    expect(ssh.locations[0].logicalLocations[0].fullyQualifiedName).toContain(hostile);
    expect(decodeURIComponent(ssh.locations[0].physicalLocation.artifactLocation.uri)).toContain(hostile);
  });

  test('as OCSF is an array of compliance findings with the required members', async () => {
    const events = JSON.parse(await outputOf('--ocsf'));
    expect(events).toHaveLength(3);
    for (const event of events) {
      expect(event).toMatchObject({
        ...{ activity_id: 1, category_uid: 2, class_uid: 2003, type_uid: 200301 },
        ...{ severity_id: expect.any(Number), time: expect.any(Number) },
        metadata: { version: '1.3.0', product: { name: 'Vedette', vendor_name: 'Vedette' } },
        finding_info: { uid: expect.stringMatching(/^[0-9a-f]{64}$/), title: expect.any(String) },
        compliance: { standards: [expect.any(String)], status_id: 3, status: 'Fail' },
        cloud: { provider: 'AWS', account: { uid: expect.stringMatching(/^\d{12}$/) } },
      });
      expect(event.resources).toHaveLength(1);
    }
    const bySeverity = events.map((one: Record<string, number>) => one.severity_id);
    expect(bySeverity).toEqual([5, 4, 3]);
    expect(events[1].resources[0].uid).toContain(hostile);
  });

  test('as JUnit XML is well-formed, with a suite for each service and a case for each policy', async () => {
    const suites = parseXml(await outputOf('--junit'));
    expect(suites).toMatchObject({
      name: 'testsuites',
      attributes: { tests: '3', failures: '3', skipped: '0' },
    });
    expect(suites.children.map(({ attributes }) => attributes.name).sort()).toEqual([
      'aws.ec2',
      'aws.iam',
      'aws.s3',
    ]);
    const cases = suites.children.flatMap(({ children }) => children);
    const ssh = cases.find(({ attributes }) => attributes.name?.startsWith(openSsh));
    expect(ssh?.attributes).toEqual({ classname: 'aws.ec2', name: `${openSsh} SSH open to the internet` });
    const [failure] = ssh?.children ?? [];
    expect(failure?.attributes).toMatchObject({
      type: 'high',
      message: expect.stringMatching(/^1 of \d+ assessed/),
    });
    const shown = hostile.replace('\u001b', '\\u001b').replace('\u0007', '\\u0007');
    expect(failure?.text).toContain(shown);
    expect(failure?.text).toContain('SshOpenToWorld');
  });

  test('as text does not control the terminal', async () => {
    const text = await outputOf('--quiet');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text).toContain('\\u001b[31m\\u0007\\n--\\u202e');
  });
});

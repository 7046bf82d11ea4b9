import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CheckPlace } from '../checking/check-place.sample.ts';
import { company, simulatedFile } from '../checking/simulated-file.sample.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const { accountId, buckets } = company.cloud;
const [passwords, publicBuckets] = ['lacework-global-39', 'lacework-global-100'];
/** Few policies of several severities and services, so that a test is fast. */
const few = [passwords, 'lacework-global-34', publicBuckets, 'lacework-global-46'].flatMap((id) => [
  '--policy',
  id,
]);

let place: CheckPlace;
let aws: string;
let denied: string;
beforeAll(async () => {
  place = new CheckPlace();
  aws = await simulatedFile(place.directory, 'aws');
  denied = await simulatedFile(place.directory, 'aws', {
    ...{ denied: ['LW_CFG_AWS_S3'], name: 'denied.ndjson' },
    problems: [{ status: 'denied', reason: 'AWS account 111111111111: AccessDenied: sts:AssumeRole' }],
  });
});
afterAll(() => place.remove());

const check = (...words: string[]) => place.check(['aws', '--from', aws, ...few, ...words]);
const errorOf = async (...words: string[]) => {
  const { code, stdout, stderr } = await place.check(words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
};

describe('vedette check', () => {
  test('prints the findings by severity, then the totals', async () => {
    const { code, stdout, stderr } = await check();
    expect(code).toBe(2);
    expect(stderr).toBe('Evaluating 4 policies.\n');
    expect(stdout.match(/^[A-Z]+$/gm)).toEqual(
      ['CRITICAL', 'HIGH', 'MEDIUM'].filter((one) => stdout.includes(`${one}\n`)),
    );
    expect(stdout).toMatch(/^ {2}POLICY +FAILED +PASSED +NOT ASSESSED +TITLE$/m);
    expect(stdout).toMatch(/^ {2}lacework-global-100 +1 +\d +0 +S3 bucket is publicly accessible$/m);
    expect(stdout).toMatch(new RegExp(`^ {6}arn:aws:s3:::${buckets[1]} `, 'm'));
    expect(stdout).toContain(`${accountId}  aws-global  MinimumPasswordLengthTooShort`);
    expect(stdout).toMatch(/\n4 policies over \d+ resources: 4 failed \(.+\), 0 passed, 0 not assessed\.\n$/);
  });

  test.each<[number, readonly string[]]>([
    [2, []],
    [2, ['--fail-on', 'critical']],
    [0, ['--fail-on', 'none']],
    [0, ['--policy', passwords]],
    [2, ['--policy', passwords, '--fail-on', 'medium']],
    [2, ['--policy', passwords, '--fail-on', 'info', '--strict']],
  ])('has exit status %i with %j', async (status, words) => {
    const policies = words.includes('--policy') ? [] : few;
    const { code, stdout } = await place.check(['aws', '--from', aws, ...policies, ...words, '--quiet']);
    expect({ code, status: stdout.includes(' failed (') }).toEqual({ code: status, status: true });
  });

  test('does not pass what could not be read', async () => {
    const words = ['aws', '--from', denied, '--policy', publicBuckets];
    const { code, stdout } = await place.check(words);
    expect(code).toBe(0);
    expect(stdout).toContain('NOT ASSESSED\n  1 policy: LW_CFG_AWS_S3 could not be read: AccessDenied');
    expect(stdout).toContain('  AWS account 111111111111: AccessDenied: sts:AssumeRole\n');
    expect(stdout).toMatch(/ LW_CFG_AWS_S3 in \S+ \(denied\): AccessDenied/);
    expect(stdout).toMatch(/\n1 policy over 1 resource: 0 failed, 0 passed, 1 not assessed\.\n$/);
    expect((await place.check([...words, '--strict'])).code).toBe(3);
    // A finding is certain: it comes first.
    const both = [...words, '--policy', 'lacework-global-34', '--strict'];
    expect((await place.check(both)).code).toBe(2);
    const junit = await place.check([...words, '--junit']);
    expect(junit.stdout).toMatch(
      /<testcase [^>]*lacework-global-100[^>]*><skipped message="Could not be assessed: /,
    );
    expect(junit.stdout).toContain('<testsuite name="aws.collection"');
    const ocsf = JSON.parse((await place.check([...words, '--ocsf'])).stdout);
    expect(ocsf[0].compliance).toMatchObject({ status: 'Warning', status_id: 2 });
    const sarif = JSON.parse((await place.check([...words, '--sarif'])).stdout).runs[0];
    expect(sarif.results).toEqual([]);
    expect(sarif.invocations[0]).toMatchObject({ executionSuccessful: false });
    expect(sarif.invocations[0].toolExecutionNotifications.at(-1)).toMatchObject({
      associatedRule: { id: publicBuckets, index: 0 },
    });
    const json = JSON.parse((await place.check([...words, '--json'])).stdout);
    expect(json.summary).toEqual({ failed: 0, notAssessed: 1, passed: 0, isComplete: false });
    expect(json.policies[0]).toMatchObject({
      status: 'not assessed',
      counts: { compliant: 0, nonCompliant: 0 },
    });
  });

  test('selects policies by framework, severity and title', async () => {
    const words = [
      'aws',
      '--from',
      aws,
      '--framework',
      'aws_cis_14',
      '--policy',
      'password',
      '--json',
      '--quiet',
    ];
    const { stdout, stderr } = await place.check(words);
    const { framework, policies } = JSON.parse(stdout);
    expect(stderr).toBe('');
    expect(framework).toMatchObject({
      reportType: 'AWS_CIS_14',
      uncoveredControls: expect.arrayContaining(['1.1']),
    });
    expect(policies.map(({ id }: { id: string }) => id)).toContain(passwords);
    for (const { title, controls } of policies) {
      expect(title).toMatch(/password/i);
      expect(controls.length).toBeGreaterThan(0);
    }
    const severe = await place.check([
      'aws',
      '--from',
      aws,
      '--policy',
      'root user',
      '--severity',
      'critical',
      '--json',
    ]);
    for (const { severity } of JSON.parse(severe.stdout).policies) expect(severity).toBe('critical');
  });

  test('writes files as a whole, with the format of their extension, and the totals to standard error', async () => {
    const { code, stdout, stderr } = await check('-o', 'out.sarif');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/4 policies over \d+ resources: 4 failed/);
    expect(JSON.parse(readFileSync(join(place.work, 'out.sarif'), 'utf8')).version).toBe('2.1.0');
    await check('-o', 'out.xml', '--quiet');
    expect(readFileSync(join(place.work, 'out.xml'), 'utf8')).toMatch(/^<\?xml /);
    await check('--ocsf', '-o', 'out.json');
    expect(JSON.parse(readFileSync(join(place.work, 'out.json'), 'utf8'))[0].class_uid).toBe(2003);
  });

  test('reads export files of the cloud, in which most kinds are missing', async () => {
    const list = {
      ...{ apiVersion: 'v1', kind: 'List', metadata: {} },
      items: [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'c0ffee' } },
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: '2' } },
      ],
    };
    const file = join(place.directory, 'list.json.gz');
    writeFileSync(file, gzipSync(JSON.stringify(list)));
    const { code, stdout } = await place.check([
      'k8s',
      '--from',
      file,
      '--all-namespaces',
      '--json',
      '--strict',
      '--fail-on',
      'none',
    ]);
    expect(code).toBe(3);
    const { policies } = JSON.parse(stdout);
    const statuses = policies.map(({ status }: { status: string }) => status);
    expect(statuses).toContain('not assessed');
    const [unassessed] = policies.filter(({ status }: { status: string }) => status === 'not assessed');
    expect(unassessed.findings[0].reason).toMatch(/ was not collected\.$/);
  });

  test('refuses wrong usage with status 1', async () => {
    expect(await errorOf('aws', '--severity', 'grave')).toBe(
      "--severity must be one of critical, high, medium, low, info, not 'grave'.\n",
    );
    expect(await errorOf('aws', '--fail-on', 'grave')).toContain('--fail-on must be one of critical,');
    expect(await errorOf('aws', '--sarif', '--junit')).toBe('Pass --sarif or --junit, not both.\n');
    expect(await errorOf('aws', '--from', aws, '--policy', 'no such title')).toContain(
      "--policy 'no such title' is neither the id nor a part of the title of a policy",
    );
    expect(await errorOf('aws', '--from', aws, '--framework', 'AWS_CIS_15')).toContain(
      "--framework 'AWS_CIS_15' does not exist. Did you mean AWS_CIS_14",
    );
    expect(await errorOf('aws', '--from', aws, '--framework', 'AZURE_CIS_1_5')).toBe(
      '--framework AZURE_CIS_1_5 is about Azure: run vedette check azure.\n',
    );
    expect(await errorOf('gcp', '--from', aws)).toContain(
      'It was collected from aws: run vedette check aws.',
    );
    expect(await errorOf('aws', '--from', 'none.ndjson')).toBe('none.ndjson: There is no such file.\n');
    expect(await errorOf('aws', '--from', denied, '--policy', 'SageMaker notebook', '--quiet')).toContain(
      `Nothing that the policies need is in ${denied}.`,
    );
    expect((await place.run(['check', 'aws'], { TMPDIR: '/no/such' })).stderr).toMatch(
      /^No temporary directory can be made .*: set TMPDIR to a directory that can be written\.\n$/,
    );
    const cut = join(place.directory, 'cut.ndjson');
    writeFileSync(cut, readFileSync(aws, 'utf8').split('\n').slice(0, -2).join('\n'));
    expect(await errorOf('aws', '--from', cut, '--quiet')).toContain('It was cut off');
  });
});

import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Program } from '../program.sample.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let installation: TestPlace;
let server: ServerProcess;
let program: Program;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  server = await ServerProcess.ready(installation);
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await installation.remove();
});

const hour = 3_600_000;
const iso = (instant: number) => new Date(instant).toISOString();
/** `20260301T100000Z`. */
const compact = (instant: number) => iso(instant).replaceAll(/[-:]|\.\d+/g, '');

/** Compressed if its name says so. */
function file(name: string, content: unknown, modified = Date.now() - hour): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const path = join(installation.directory, name);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  utimesSync(path, modified / 1_000, modified / 1_000);
  return name;
}

async function rows(query: string, start = '-1d'): Promise<Record<string, unknown>[]> {
  const text = await program.output(['query', query, '--start', start, '--json']);
  return JSON.parse(text);
}
const ids = async (kind: string, start?: string) =>
  (await rows(`{ source { ${kind} } return distinct { RESOURCE_ID } }`, start))
    .map(({ RESOURCE_ID }) => RESOURCE_ID)
    .sort();

const account = '123456789012';
const vpc = (vpcId: string, region: string) => ({
  ...{ resourceType: 'AWS::EC2::VPC', resourceId: vpcId, awsAccountId: account, awsRegion: region },
  ...{ ARN: `arn:aws:ec2:${region}:${account}:vpc/${vpcId}`, configurationItemStatus: 'OK' },
  ...{ configurationItemCaptureTime: iso(Date.now() - 20 * hour), tags: {} },
  configuration: { vpcId, isDefault: false, tags: [] },
});
const snapshot = (...configurationItems: object[]) => ({
  ...{ fileVersion: '1.0', configSnapshotId: 'a', configurationItems },
});
const snapshotName = (region: string, instant: number) =>
  `${account}_Config_${region}_ConfigSnapshot_${compact(instant)}_a.json.gz`;

describe('import aws-config', () => {
  test('replaces the kinds of the file in its region only, at the time of the snapshot', async () => {
    const now = Date.now();
    const other = { ...vpc('x', 'eu-west-1'), resourceType: 'AWS::Config::Other' };
    const files = [
      // Given in the wrong order.
      file(snapshotName('eu-west-1', now - 2 * hour), snapshot(vpc('vpc-2', 'eu-west-1'), other)),
      file(snapshotName('eu-west-1', now - 5 * hour), snapshot(vpc('vpc-1', 'eu-west-1'))),
      file(snapshotName('us-east-1', now - 5 * hour), snapshot(vpc('vpc-3', 'us-east-1'))),
    ];
    const report = await program.data(`import aws-config ${files.join(' ')}`);
    expect(report).toMatchObject({
      ...{ resources: 3, gaps: [], problems: [], ignored: { 'AWS::Config::Other': 1 } },
      kinds: [{ kind: 'LW_CFG_AWS_EC2_VPCS', resources: 3, regions: 3, opened: 3, closed: 1 }],
    });
    expect(await ids('LW_CFG_AWS_EC2_VPCS', '-1h')).toEqual(['vpc-2', 'vpc-3']);
    const text = await program.output(`import aws-config ${files.join(' ')}`);
    expect(text).toContain('Ignored, because they are not collected: AWS::Config::Other (1).');
    expect(text).toContain('Kinds and regions: 3 collected, 0 empty, 0 denied, 0 failed, 0 not enabled.');
  });

  test('names the file that is wrong', async () => {
    const history = file('history.json', { fileVersion: '1.0', configurationItems: [] });
    expect(await program.errorOutput(`import aws-config ${history}`)).toBe(
      'history.json: It has no configSnapshotId, so that it may be a history of changes: use the files below ConfigSnapshot/.\n',
    );
    expect(await program.errorOutput(`import aws-config ${file('text.json', 'no JSON')}`)).toBe(
      'text.json: It is not valid JSON.\n',
    );
    expect(await program.errorOutput('import aws-config none.json')).toBe(
      'none.json: There is no such file.\n',
    );
    writeFileSync(join(installation.directory, 'cut.json.gz'), gzipSync('{"a":1}').subarray(0, 15));
    expect(await program.errorOutput('import aws-config cut.json.gz')).toBe(
      'cut.json.gz: It is damaged: unexpected end of file.\n',
    );
    expect(await program.errorOutput(['import', 'aws-config'])).toMatch(
      /^Usage: vedette import aws-config FILE… /,
    );
    expect(await program.errorOutput(`import aws-config ${history} --captured yesterday`)).toBe(
      "--captured must be a time such as 2026-03-01T12:00:00Z, not 'yesterday'.\n",
    );
    expect(await program.errorOutput(`import aws-config ${history} --captured 2999-01-01T00:00:00Z`)).toBe(
      '--captured must not be in the future; it is 2999-01-01T00:00:00.000Z.\n',
    );
  });
});

const asset = (name: string, more: object = {}) =>
  JSON.stringify({
    name: `//storage.googleapis.com/${name}`,
    asset_type: 'storage.googleapis.com/Bucket',
    ancestors: ['projects/1001', 'organizations/3001'],
    resource: {
      data: { id: name },
      parent: '//cloudresourcemanager.googleapis.com/projects/1001',
      location: 'EU',
    },
    ...more,
  });

describe('import gcp-assets', () => {
  test('takes the files of one export together', async () => {
    const files = [
      file('assets-0.json.gz', `${asset('one')}\n${asset('x', { asset_type: 'example.com/Other' })}\n`),
      file('assets-1.json', asset('two')),
    ];
    const report = await program.data(`import gcp-assets ${files.join(' ')}`);
    expect(report).toMatchObject({
      ...{ resources: 2, ignored: { 'example.com/Other': 1 } },
      kinds: [{ kind: 'LW_CFG_GCP_STORAGE_BUCKET', resources: 2, opened: 2, closed: 0 }],
    });
    expect(await ids('LW_CFG_GCP_STORAGE_BUCKET')).toHaveLength(2);
  });

  test('names the file and the line that is wrong', async () => {
    const files = [
      file('good.json', `${asset('one')}\n${asset('two')}\n`),
      file('bad.json', `${asset('three')}\n{\n`),
    ];
    expect(await program.errorOutput(`import gcp-assets ${files.join(' ')}`)).toBe(
      'bad.json: Line 2 is not an asset of an export: It is not valid JSON.\n',
    );
  });
});

const subscription = '11111111-1111-1111-1111-111111111111';
const disk = (name: string) => ({
  id: `/subscriptions/${subscription}/resourceGroups/rg/providers/Microsoft.Compute/disks/${name}`,
  ...{
    name,
    type: 'microsoft.compute/disks',
    tenantId: 't',
    subscriptionId: subscription,
    location: 'westeurope',
  },
  properties: { diskState: 'Unattached' },
});

describe('import azure-graph', () => {
  test('takes all pages of a query', async () => {
    const first = file('page-1.json', { count: 1, data: [disk('a')], skip_token: 'next', total_records: 2 });
    const second = file('page-2.json', { count: 1, data: [disk('b')], skip_token: null, total_records: 2 });
    expect(await program.errorOutput(`import azure-graph ${first}`)).toBe(
      'page-1.json: It has 1 of 2 rows: query with --first 1000, then with --skip-token, and import all pages together.\n',
    );
    expect(await program.data(`import azure-graph ${first} ${second}`)).toMatchObject({
      kinds: [{ kind: 'LW_CFG_AZURE_COMPUTE_DISKS', resources: 2, opened: 2 }],
    });
    expect(await ids('LW_CFG_AZURE_COMPUTE_DISKS')).toHaveLength(2);
    const wrong = file('wrong.json', { data: [{ id: 'x' }] });
    expect(await program.errorOutput(`import azure-graph ${first} ${wrong}`)).toBe(
      'wrong.json: data[0] has no id or no type: keep the columns id and type in the projection of the query.\n',
    );
  });
});

const metadata = (name: string, namespace?: string) => ({
  metadata: { name, uid: `uid-${name}`, ...(namespace && { namespace }) },
});
const pod = (name: string, namespace: string) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', ...metadata(name, namespace) },
  spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'PASSWORD', value: 'canary' }] }] },
});
const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });
const system = { apiVersion: 'v1', kind: 'Namespace', ...metadata('kube-system') };

describe('import k8s', () => {
  test('takes the lists of a cluster, without secrets', async () => {
    const files = [
      file('namespaces.json', list(system)),
      file(
        'pods.json',
        list(pod('web', 'shop'), pod('dns', 'kube-system'), { ...pod('x', 'y'), kind: 'Widget' }),
      ),
    ];
    const report = await program.data(`import k8s ${files.join(' ')}`);
    expect(report).toMatchObject({ resources: 5, ignored: { Widget: 1 } });
    const found = await rows(
      '{ source { LW_CFG_K8S_CLUSTER_POD } return distinct { RESOURCE_ID, CLUSTER_ID, RESOURCE_CONFIG } }',
    );
    expect(found.map(({ CLUSTER_ID }) => CLUSTER_ID)).toEqual(['uid-kube-system', 'uid-kube-system']);
    expect(JSON.stringify(found)).not.toContain('canary');
    expect(await program.errorOutput(`import k8s ${files[1]}`)).toContain(
      'No file has the namespace kube-system',
    );
  });

  test('does not take a part of a cluster for the whole', async () => {
    const one = file('one.json', list(pod('web', 'shop')));
    expect(await program.errorOutput(`import k8s ${one} --cluster c`)).toBe(
      'The files have objects of the namespace shop only: export with kubectl get --all-namespaces, or pass --all-namespaces if there are no others.\n',
    );
    const words = `import k8s ${one} --cluster c --cluster-type EKS --all-namespaces`;
    expect(await program.data(words)).toMatchObject({ resources: 2 });
    const single = file('single.json', pod('web', 'shop'));
    expect(await program.errorOutput(`import k8s ${single} --cluster c`)).toBe(
      'single.json: It has a single Pod: export all of them with kubectl get --all-namespaces -o json.\n',
    );
    expect(await program.errorOutput(`import k8s ${one} --cluster c --cluster-type X`)).toBe(
      "--cluster-type must be EKS, GKE, AKS, not 'X'.\n",
    );
  });
});

describe('import cloudtrail', () => {
  const eventTime = iso(Date.now() - hour).replace(/\.\d+/, '');
  const event = (eventID: string, more: object = {}) => ({
    ...{ eventVersion: '1.11', eventID, eventName: 'GetObject', eventSource: 's3.amazonaws.com' },
    ...{ eventTime, awsRegion: 'eu-west-1', ...more },
  });

  test('stores each event once', async () => {
    const insight = event('i', { eventCategory: 'Insight', eventName: undefined });
    const files = [
      file('trail-1.json.gz', { Records: [event('a'), event('b'), insight] }),
      file('trail-2.json', { Records: [event('c')] }),
    ];
    const words = `import cloudtrail ${files.join(' ')}`;
    expect(await program.data(words)).toEqual({ files: 2, events: 3, stored: 3, repeated: 0, ignored: 1 });
    expect(await program.output(words)).toBe(
      '3 events of 2 files: 0 new, 3 already stored. 1 Insights events were ignored.\n',
    );
    const more = file('trail-3.json', { Records: [event('c'), event('d')] });
    expect(await program.data(`import cloudtrail ${more}`)).toMatchObject({ stored: 1, repeated: 1 });
    const found = await rows('{ source { CloudTrailRawEvents } return { EVENT_NAME, EVENT } }');
    expect(found.map(({ EVENT }) => (EVENT as { eventID: string }).eventID).sort()).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  test('names files without events', async () => {
    expect(
      await program.errorOutput(`import cloudtrail ${file('digest.json', { digestStartTime: 'x' })}`),
    ).toBe('digest.json: It is a digest, without events: use the files below CloudTrail/.\n');
    expect(await program.errorOutput(`import cloudtrail ${file('other.json', [])}`)).toBe(
      'other.json: It has no array Records: use the files below CloudTrail/ that AWS delivers.\n',
    );
    const bad = file('bad-event.json', { Records: [event('e', { eventTime: 'x' })] });
    expect(await program.errorOutput(`import cloudtrail ${bad}`)).toMatch(
      /^bad-event\.json: The server rejected CloudTrailRawEvents with 400: .*eventTime/,
    );
  });
});

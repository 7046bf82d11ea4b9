import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forbidden, SampleCluster } from '@vedette/server/collect/k8s/cluster.sample';
import { fill } from '@vedette/server/collect/k8s/objects.sample';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { CheckPlace } from '../checking/check-place.sample.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let place: CheckPlace;
let cluster: SampleCluster;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  place = new CheckPlace();
  cluster = await SampleCluster.start();
  const name = 'sample';
  const authority = Buffer.from(cluster.authority).toString('base64');
  const kubeconfig = join(place.directory, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': name },
      clusters: [{ name, cluster: { server: cluster.url, 'certificate-authority-data': authority } }],
      users: [{ name, user: { token: SampleCluster.token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
    }),
  );
  environment = { KUBECONFIG: kubeconfig };
});
beforeEach(() => {
  cluster.clear();
  fill(cluster);
});
afterAll(async () => {
  await cluster.close();
  place.remove();
});

interface JsonPolicy {
  readonly id: string;
  readonly status: string;
  readonly findings?: readonly { readonly resource: string; readonly reason: string }[];
}
interface JsonResult {
  readonly policies: readonly JsonPolicy[];
  readonly gaps: readonly { readonly kind: string }[];
  readonly resources: number;
}
const resultOf = async (...words: string[]) => {
  const { code, stdout } = await place.check(['k8s', '--json', '--quiet', ...words], environment);
  return { code, result: JSON.parse(stdout) as JsonResult };
};
const withStatus = ({ policies }: JsonResult, status: string) =>
  policies.filter((one) => one.status === status).map(({ id }) => id);

describe('vedette check of a cluster', () => {
  test('reads the kinds that its policies need, with the credentials of kubectl', async () => {
    const { code, result } = await resultOf();
    expect(code).toBe(2);
    const privileged = result.policies
      .flatMap(({ findings = [] }) => findings)
      .map(({ resource }) => resource);
    expect(privileged.some((resource) => resource.includes('web-1'))).toBe(true);
    const all = cluster.received.length;
    cluster.received.length = 0;
    await resultOf('--policy', String(withStatus(result, 'failed')[0]));
    expect(cluster.received.length).toBeLessThan(all);
  });

  test('does not pass what it may not read, and names the permission', async () => {
    const before = (await resultOf()).result;
    cluster.intercept = ({ path }) => (path === '/api/v1/pods' ? forbidden('pods', '') : undefined);
    const { result } = await resultOf();
    expect(result.gaps.map(({ kind }) => kind)).toContain('LW_CFG_K8S_CLUSTER_POD');
    const unassessed = withStatus(result, 'not assessed');
    expect(unassessed.length).toBeGreaterThan(withStatus(before, 'not assessed').length);
    expect(withStatus(result, 'passed').length).toBeLessThanOrEqual(withStatus(before, 'passed').length);
    const { code, stdout } = await place.check(
      ['k8s', '--strict', '--fail-on', 'none', '--quiet'],
      environment,
    );
    expect(code).toBe(3);
    expect(stdout).toMatch(/^These permissions would help: .*pods/m);
  });

  test('has the same result from a file that a collection has written', async () => {
    const { result } = await resultOf();
    for (const name of ['cluster.ndjson', 'cluster.ndjson.gz']) {
      const collected = await place.run(['collect', 'k8s', '--to', name], environment);
      expect(collected).toMatchObject({ code: 0, stdout: expect.stringContaining(`Written to ${name}.`) });
      expect(statSync(join(place.work, name)).mode & 0o777).toBe(0o600);
      const { result: fromFile } = await resultOf('--from', name);
      expect(fromFile.policies).toEqual(result.policies);
      expect(fromFile.resources).toBe(result.resources);
    }
    expect(readFileSync(join(place.work, 'cluster.ndjson'), 'utf8')).not.toContain('hunter2');
    const both = await place.run(['collect', 'k8s', '--to', 'x', '--token', 't'], environment);
    expect(both).toMatchObject({ code: 1, stderr: 'Pass --to or --token, not both.\n' });
  });

  test('says why nothing could be read', async () => {
    const { code, stdout, stderr } = await place.check(['k8s'], {
      KUBECONFIG: join(place.directory, 'none'),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('none');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('leaves nothing when %s interrupts it', async (signal) => {
    cluster.intercept = ({ path }) => (path === '/api/v1/pods' ? 'hang' : undefined);
    const program = fileURLToPath(new URL('../../bin/vedette.js', import.meta.url));
    const child = spawn(process.execPath, [program, 'check', 'k8s', '-o', 'interrupted.json'], {
      cwd: place.work,
      env: { PATH: process.env.PATH, TMPDIR: place.temporary, ...environment },
      stdio: 'ignore',
    });
    await expect.poll(() => cluster.received.some(({ path }) => path === '/api/v1/pods')).toBe(true);
    expect(readdirSync(place.temporary)).toHaveLength(1);
    const ended = once(child, 'exit');
    child.kill(signal);
    expect(await ended).toEqual([signal === 'SIGINT' ? 130 : 143, null]);
    place.expectClean();
    expect(readdirSync(place.work)).not.toContain('interrupted.json');
  });
});

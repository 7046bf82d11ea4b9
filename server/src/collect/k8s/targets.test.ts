import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { CloudTarget } from '../inventory/cloud.ts';
import { failure, SampleCluster } from './cluster.sample.ts';
import { collected, type SampleDeps, sampleDeps } from './collection.sample.ts';
import { ExecCredentials } from './exec-credentials.ts';
import { fill } from './objects.sample.ts';
import { localK8sTargets } from './targets.ts';

let cluster: SampleCluster;
let directory: string;
let deps: SampleDeps;
beforeAll(async () => {
  cluster = await SampleCluster.start();
});
beforeEach(() => {
  cluster.clear();
  fill(cluster);
  deps = sampleDeps();
  directory = mkdtempSync(join(tmpdir(), 'vedette-kubeconfig-'));
});
afterEach(async () => {
  await deps.outbound.close();
  rmSync(directory, { recursive: true });
});
afterAll(() => cluster.close());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const environment = () => ({ HOME: directory, PATH: process.env.PATH });
const discover = (more: NodeJS.ProcessEnv = {}, contexts: string[] = []) =>
  localK8sTargets(
    deps,
    { environment: { ...environment(), ...more }, contexts },
    new AbortController().signal,
  );
const token = { token: SampleCluster.token };

/** A kubeconfig with one context; returns its path. */
function kubeconfig(
  user: object,
  {
    cluster: more = {},
    name = 'sample',
    file = 'config',
  }: { cluster?: object; name?: string; file?: string } = {},
): string {
  const settings = { server: cluster.url, 'certificate-authority-data': base64(cluster.authority), ...more };
  const path = join(directory, file);
  writeFileSync(
    path,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: settings }],
      users: [{ name, user }],
      contexts: [{ name, context: { cluster: name, user: name } }],
    }),
  );
  return path;
}

const identities = async (...of: Parameters<typeof discover>) => {
  const { targets, problems } = await discover(...of);
  expect(problems).toEqual([]);
  return targets.map(({ cloudAccount }) => cloudAccount);
};

describe('the credentials of a kubeconfig', () => {
  test('are a token', async () => {
    expect(await identities({ KUBECONFIG: kubeconfig(token) })).toEqual(['c0ffee']);
    expect(cluster.received[0]).toMatchObject({ authorization: 'Bearer sample-token', certificateName: '' });
  });

  test('are a certificate, in the file or beside it', async () => {
    const { certificate, key } = cluster.client;
    const data = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
    expect(await identities({ KUBECONFIG: kubeconfig(data) })).toEqual(['c0ffee']);
    expect(cluster.received[0]).toMatchObject({ authorization: '', certificateName: 'collector' });
    writeFileSync(join(directory, 'user.pem'), certificate);
    writeFileSync(join(directory, 'user.key'), key);
    const files = { 'client-certificate': 'user.pem', 'client-key': 'user.key' };
    expect(await identities({ KUBECONFIG: kubeconfig(files) })).toEqual(['c0ffee']);
  });

  test('are a file with a token', async () => {
    writeFileSync(join(directory, 'token'), `${SampleCluster.token}\n`);
    expect(await identities({ KUBECONFIG: kubeconfig({ tokenFile: 'token' }) })).toEqual(['c0ffee']);
  });

  test('come from a plugin, which is asked again when they are rejected', async () => {
    const plugin = join(directory, 'plugin');
    // The first token has been revoked.
    const script = `#!/bin/sh
echo "$KUBERNETES_EXEC_INFO $1 $REGION" >> ${directory}/calls
n=$(wc -l < ${directory}/calls)
if [ "$n" -gt 1 ]; then t=${SampleCluster.token}; else t=revoked; fi
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'$t'","expirationTimestamp":"2026-03-02T00:00:00Z"}}'
`;
    writeFileSync(plugin, script);
    chmodSync(plugin, 0o755);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './plugin',
      args: ['get-token'],
      env: [{ name: 'REGION', value: 'eu-west-1' }],
      provideClusterInfo: true,
    };
    expect(await identities({ KUBECONFIG: kubeconfig({ exec }) })).toEqual(['c0ffee']);
    const calls = readFileSync(join(directory, 'calls'), 'utf8').trim().split('\n');
    expect(calls.length).toBe(2);
    expect(calls[0]).toMatch(
      /^{"apiVersion":"client.authentication.k8s.io\/v1","kind":"ExecCredential".* get-token eu-west-1$/,
    );
    expect(calls[0]).toContain(`"server":"${cluster.url}"`);
  });

  test('come from one run of a plugin for many requests, and from another when they expire', async () => {
    const plugin = join(directory, 'plugin');
    writeFileSync(
      plugin,
      `#!/bin/sh
echo >> ${directory}/calls
day=$(wc -l < ${directory}/calls)
echo '{"status":{"token":"${SampleCluster.token}","expirationTimestamp":"2026-03-0'$day'T12:15:00Z"}}'
`,
    );
    chmodSync(plugin, 0o755);
    const { targets } = await discover({ KUBECONFIG: kubeconfig({ exec: { command: plugin } }) });
    const runs = () => readFileSync(join(directory, 'calls'), 'utf8').length;
    await collected(targets[0] as CloudTarget, deps);
    expect(runs()).toBe(1);
    // Retries of an overloaded server take the clock past the expiry.
    let refusals = 15;
    cluster.intercept = () =>
      refusals-- > 0 ? failure(429, 'TooManyRequests', 'later', { 'retry-after': '60' }) : undefined;
    const { results } = await collected(targets[0] as CloudTarget, deps);
    expect([...results.values()].filter(({ status }) => status === 'collected').length).toBeGreaterThan(20);
    expect(deps.clock.now()).toBeGreaterThan(Date.parse('2026-03-01T12:15:00Z'));
    expect(runs()).toBe(2);
  });

  test('come from one run of a plugin for requests at the same time', async () => {
    const plugin = join(directory, 'plugin');
    writeFileSync(plugin, `#!/bin/sh\necho >> ${directory}/calls\necho '{"status":{"token":"a"}}'\n`);
    chmodSync(plugin, 0o755);
    const settings = {
      apiVersion: 'v1',
      command: plugin,
      args: [],
      environment: {},
      installHint: '',
      cluster: undefined,
    };
    const source = new ExecCredentials(settings, deps.clock, environment());
    const runs = () => readFileSync(join(directory, 'calls'), 'utf8').length;
    const all = await Promise.all(Array.from({ length: 5 }, () => source.credentials(undefined)));
    expect([runs(), new Set(all).size, all[0]?.headers]).toEqual([1, 1, { authorization: 'Bearer a' }]);
    await Promise.all(all.map((rejected) => source.credentials(rejected)));
    expect(runs()).toBe(2);
  });

  test('are not sent without TLS', async () => {
    const received: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const path = kubeconfig(token, { cluster: { server: `http://127.0.0.1:${port}` } });
    const { targets, problems } = await discover({ KUBECONFIG: path });
    server.close();
    expect([targets, problems]).toMatchObject([[], [{ status: 'denied' }]]);
    expect(received).toEqual([undefined]);
  });
});

describe('the server of a kubeconfig', () => {
  test('must have a certificate of the given authority, unless it is not verified', async () => {
    const wrong = { 'certificate-authority-data': base64(cluster.client.authority) };
    const { problems } = await discover({ KUBECONFIG: kubeconfig(token, { cluster: wrong }) });
    expect(problems).toMatchObject([
      { status: 'failed', reason: expect.stringMatching(/^Cluster sample: The request to .* failed \(/) },
    ]);
    expect(cluster.received).toEqual([]);
    const insecure = { 'certificate-authority-data': '', 'insecure-skip-tls-verify': true };
    expect(await identities({ KUBECONFIG: kubeconfig(token, { cluster: insecure }) })).toEqual(['c0ffee']);
    const name = { 'tls-server-name': 'other.example' };
    const { targets } = await discover({ KUBECONFIG: kubeconfig(token, { cluster: name }) });
    expect(targets).toEqual([]);
  });

  test('is guarded as every other target', async () => {
    const { BulkOutbound } = await import('../../outbound/bulk-outbound.ts');
    const outbound = new BulkOutbound({ allowsPrivate: false });
    const options = { environment: { ...environment(), KUBECONFIG: kubeconfig(token) } };
    const { problems } = await localK8sTargets({ ...deps, outbound }, options, new AbortController().signal);
    expect(problems).toMatchObject([
      { reason: expect.stringContaining('127.0.0.1 is not a public address.') },
    ]);
  });
});

describe('the contexts', () => {
  test('are those of all files of KUBECONFIG, the first with a name wins', async () => {
    const first = kubeconfig(token, { name: 'a', file: 'first' });
    const second = kubeconfig({ token: 'wrong' }, { name: 'a', file: 'second' });
    const third = kubeconfig(token, { name: 'b', file: 'third' });
    const KUBECONFIG = [join(directory, 'missing'), first, second, third].join(':');
    const { targets } = await discover({ KUBECONFIG });
    expect(targets.map(({ title }) => title)).toEqual(['Kubernetes cluster a (c0ffee)']);
    const other = await discover({ KUBECONFIG }, ['b']);
    expect(other.targets.map(({ title }) => title)).toEqual(['Kubernetes cluster b (c0ffee)']);
    // Two contexts of one cluster are one target.
    expect(await identities({ KUBECONFIG }, ['a', 'b'])).toEqual(['c0ffee']);
  });

  test('are those of the usual file without the variable', async () => {
    mkdirSync(join(directory, '.kube'));
    kubeconfig(token, { file: '.kube/config' });
    expect(await identities()).toEqual(['c0ffee']);
  });

  test.each<[string, () => string, string]>([
    ['a file that is not YAML', () => 'a: [', 'is not usable: it is not YAML'],
    ['a file that is a string', () => 'hello', 'is not usable: it is not an object'],
    [
      'no current context',
      () => 'clusters: []',
      'Kubeconfig: it has no current context: name one with --context.',
    ],
    ['an unknown context', () => 'current-context: x', 'Kubeconfig: it has no context x; it has none.'],
    [
      'an unknown cluster',
      () => 'current-context: x\ncontexts: [{name: x, context: {cluster: y}}]',
      'Kubeconfig: context x names the cluster y, which does not exist.',
    ],
    [
      'a server that is none',
      () =>
        'current-context: x\ncontexts: [{name: x, context: {cluster: y}}]\nclusters: [{name: y, cluster: {server: 7}}]',
      'Kubeconfig: the server of the cluster y is not an address.',
    ],
  ])('of %s are a problem', async (_, content, reason) => {
    const path = join(directory, 'config');
    writeFileSync(path, content());
    const { targets, problems } = await discover({ KUBECONFIG: path });
    expect([targets, problems.map((problem) => [problem.status, problem.reason])]).toEqual([
      [],
      [['failed', expect.stringContaining(reason)]],
    ]);
  });

  test.each<[object, object, string]>([
    [{ 'auth-provider': { name: 'gcp' } }, {}, 'uses auth-provider, which is not supported'],
    [{ as: 'admin', ...token }, {}, 'uses as, which is not supported'],
    [token, { 'proxy-url': 'socks5://localhost:1080' }, 'uses proxy-url, which is not supported'],
    [
      { exec: { command: 'no-such-plugin', installHint: 'Install it.' } },
      {},
      'no-such-plugin of the kubeconfig failed: not found Install it.',
    ],
    [
      { exec: { command: 'false' } },
      {},
      'The credential plugin false of the kubeconfig failed: it ended with 1.',
    ],
    [{ exec: { command: 'true' } }, {}, 'printed neither a token nor a certificate.'],
    [{ tokenFile: 'missing' }, {}, 'could not be read (ENOENT).'],
    [{ 'client-key': 'missing' }, {}, 'client-key could not be read (ENOENT).'],
  ])('with %j and %j say what is wrong', async (user, more, reason) => {
    const { problems } = await discover({ KUBECONFIG: kubeconfig(user, { cluster: more }) });
    expect(problems).toMatchObject([{ status: 'failed', reason: expect.stringContaining(reason) }]);
    expect(cluster.received).toEqual([]);
  });

  test('are missing', async () => {
    expect((await discover()).problems).toMatchObject([
      { reason: expect.stringContaining('No cluster: there is no kubeconfig') },
    ]);
    expect((await discover({ KUBECONFIG: '/missing' })).problems).toMatchObject([
      { reason: 'KUBECONFIG names no file that exists: /missing.' },
    ]);
  });
});

describe('a pod', () => {
  test('uses its service account, with the token of the moment', async () => {
    writeFileSync(join(directory, 'ca.crt'), cluster.authority);
    writeFileSync(join(directory, 'token'), SampleCluster.token);
    const { hostname, port } = new URL(cluster.url);
    const options = {
      environment: { ...environment(), KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
      serviceAccountDirectory: directory,
    };
    const { targets, problems } = await localK8sTargets(deps, options, new AbortController().signal);
    expect(problems).toEqual([]);
    expect(targets).toMatchObject([
      { cloudAccount: 'c0ffee', title: 'Kubernetes cluster in-cluster (c0ffee)' },
    ]);
    writeFileSync(join(directory, 'token'), 'next');
    cluster.received.length = 0;
    const { signal } = new AbortController();
    const [reading] = (await targets[0]?.readings(signal)) ?? [];
    const output = { add: async () => {}, unread: async () => {}, gap: () => {} };
    await expect(reading?.read(output, signal)).rejects.toThrow('401 Unauthorized');
    expect(cluster.received[0]?.authorization).toBe('Bearer next');
  });
});

describe('the identity of a cluster', () => {
  const version = (gitVersion: string) => ({ status: 200, body: { gitVersion } });
  const arn = 'arn:aws:eks:eu-west-1:123456789012:cluster/shop';

  test('is the ARN of the context on EKS', async () => {
    cluster.intercept = ({ path }) => (path === '/version' ? version('v1.33.2-eks-931bdca') : undefined);
    const { targets } = await discover({ KUBECONFIG: kubeconfig(token, { name: arn }) });
    expect(targets).toMatchObject([{ cloudAccount: arn, title: `EKS cluster ${arn}` }]);
  });

  test('is put together on EKS from the nodes and aws-auth', async () => {
    const labels = {
      'alpha.eksctl.io/cluster-name': 'shop',
      'topology.kubernetes.io/region': 'us-gov-west-1',
    };
    const mapRoles = '- rolearn: arn:aws-us-gov:iam::123456789012:role/nodes\n  groups: [system:nodes]\n';
    cluster.intercept = ({ path }) => {
      if (path === '/version') return version('v1.33.2-eks-931bdca');
      if (path === '/api/v1/nodes') return { status: 200, body: { items: [{ metadata: { labels } }] } };
      return path.endsWith('/aws-auth') ? { status: 200, body: { data: { mapRoles } } } : undefined;
    };
    expect(await identities({ KUBECONFIG: kubeconfig(token) })).toEqual([
      'arn:aws-us-gov:eks:us-gov-west-1:123456789012:cluster/shop',
    ]);
  });

  test('is the uid of kube-system on EKS where the rest is not known', async () => {
    cluster.intercept = ({ path }) => (path === '/version' ? version('v1.33.2-eks-931bdca') : undefined);
    const { targets } = await discover({ KUBECONFIG: kubeconfig(token) });
    expect(targets).toMatchObject([{ cloudAccount: 'c0ffee', title: 'EKS cluster sample (c0ffee)' }]);
  });

  test('is the name of the cluster on GKE and AKS', async () => {
    const gke = kubeconfig(token, { name: 'gke_my-project_europe-west1-b_shop' });
    expect(await identities({ KUBECONFIG: gke })).toEqual([
      'projects/my-project/locations/europe-west1-b/clusters/shop',
    ]);
    const subscription = '11111111-2222-3333-4444-555555555555';
    const node = {
      metadata: { labels: { 'kubernetes.azure.com/cluster': 'MC_shop_rg_shop_westeurope' } },
      spec: {
        providerID: `azure:///subscriptions/${subscription}/resourceGroups/mc_shop_rg_shop_westeurope/x`,
      },
    };
    cluster.intercept = ({ path }) =>
      path === '/api/v1/nodes' ? { status: 200, body: { items: [node] } } : undefined;
    expect(await identities({ KUBECONFIG: kubeconfig(token, { name: 'shop' }) })).toEqual([
      `/subscriptions/${subscription}/resourceGroups/shop_rg/providers/Microsoft.ContainerService/managedClusters/shop`,
    ]);
  });

  test('needs the right to read kube-system where the cloud gives no name', async () => {
    cluster.intercept = ({ path }) =>
      path.includes('/api/v1/n')
        ? failure(403, 'Forbidden', 'namespaces "kube-system" is forbidden')
        : undefined;
    const { targets, problems } = await discover({ KUBECONFIG: kubeconfig(token) });
    expect([targets, problems]).toMatchObject([
      [],
      [
        {
          status: 'denied',
          reason: expect.stringContaining('Cluster sample: GET /api/v1/namespaces/kube-system: 403'),
          permission:
            '{apiGroups: [""], resources: ["namespaces"], resourceNames: ["kube-system"], verbs: ["get"]}',
        },
      ],
    ]);
  });
});

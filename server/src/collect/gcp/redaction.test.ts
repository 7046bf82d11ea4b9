import { describe, expect, test } from 'vitest';
import { type AssetKind, loadAssetKinds } from './asset-kinds.ts';
import { pathOf, type RedactionRule, withoutSecrets } from './redaction.ts';

const kinds = await loadAssetKinds();
const stored = (assetType: string, config: object) =>
  withoutSecrets(config, (kinds.get(assetType) as AssetKind).redact);
const secret = 'canary-secret';
const hidden = '[redacted]';

describe('a redaction', () => {
  test.each<[string, RedactionRule, unknown, unknown]>([
    ['a member', 'a.b', { a: { b: 1, c: 2 } }, { a: { b: hidden, c: 2 } }],
    ['all members', 'a.*', { a: { b: 'x', c: [1] } }, { a: { b: hidden, c: hidden } }],
    ['elements', 'a.*.v', { a: [{ v: 'x', n: 1 }, { n: 2 }, 3] }, { a: [{ v: hidden, n: 1 }, { n: 2 }, 3] }],
    [
      'any depth',
      '**.p',
      { p: 'x', a: [{ p: 'y', b: { p: { q: 1 } } }] },
      { p: hidden, a: [{ p: hidden, b: { p: hidden } }] },
    ],
    [
      'a name with dots',
      'a.b\\.c/d',
      { a: { 'b.c/d': 'x', b: { c: 1 } } },
      { a: { 'b.c/d': hidden, b: { c: 1 } } },
    ],
    ['no secret that is not set', 'a.*', { a: { b: '', c: null } }, { a: { b: '', c: null } }],
    ['nothing that is absent', 'a.b.c', { a: { d: 1 } }, { a: { d: 1 } }],
    ['nothing of another form', 'a.b', { a: 'x' }, { a: 'x' }],
    ['nothing of an array', 'length', [1], [1]],
    [
      'the query of an address',
      { path: 'a', isAddress: true },
      { a: 'https://u:p@h/x?token=1' },
      { a: `https://h/x?${hidden}` },
    ],
    ['no address without query', { path: 'a', isAddress: true }, { a: 'https://h/x' }, { a: 'https://h/x' }],
    ['an address that is none', { path: 'a', isAddress: true }, { a: 'token' }, { a: hidden }],
    [
      'metadata as a map',
      { path: 'm', keep: ['k'] },
      { m: { k: '1', s: 'x' } },
      { m: { k: '1', s: hidden } },
    ],
    [
      'metadata as items',
      { path: 'm', keep: ['k'] },
      {
        m: {
          fingerprint: 'f',
          items: [{ key: 'k', value: '1' }, { key: 's', value: 'x' }, { key: 'e' }, 'z'],
        },
      },
      {
        m: {
          fingerprint: 'f',
          items: [{ key: 'k', value: '1' }, { key: 's', value: hidden }, { key: 'e' }, hidden],
        },
      },
    ],
    [
      'a name of the prototype',
      '*.x',
      JSON.parse('{"__proto__":{"x":"y"}}'),
      JSON.parse(`{"__proto__":{"x":"${hidden}"}}`),
    ],
  ])('replaces %s', (_, rule, config, expected) => {
    const before = JSON.stringify(config);
    expect(JSON.stringify(withoutSecrets(config, [rule]))).toBe(JSON.stringify(expected));
    expect(JSON.stringify(config)).toBe(before);
  });
});

const env = [{ name: 'TOKEN', value: secret }];
const pod = { containers: [{ name: 'c', env }], initContainers: [{ env }], ephemeralContainers: [{ env }] };
const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': secret, owner: 'web' };

/** Either generation. */
const cloudFunction = {
  ...{
    environmentVariables: { A: secret },
    buildEnvironmentVariables: { A: secret },
    sourceUploadUrl: secret,
  },
  serviceConfig: { environmentVariables: { A: secret } },
  buildConfig: { environmentVariables: { A: secret } },
};

/** Configurations in the form of the APIs, with a secret in each place that can have one. */
const samples: Record<string, object> = {
  'aiplatform.googleapis.com/CustomJob': { jobSpec: { workerPoolSpecs: [{ containerSpec: { env } }] } },
  'aiplatform.googleapis.com/HyperparameterTuningJob': {
    trialJobSpec: { workerPoolSpecs: [{ containerSpec: { env } }] },
  },
  'aiplatform.googleapis.com/Model': { containerSpec: { env } },
  'aiplatform.googleapis.com/PipelineJob': {
    runtimeConfig: { parameters: { a: { stringValue: secret } }, parameterValues: { a: secret } },
  },
  'apikeys.googleapis.com/Key': { keyString: secret },
  'appengine.googleapis.com/Application': { iap: { oauth2ClientSecret: secret } },
  'appengine.googleapis.com/Version': {
    ...{ envVariables: { A: secret }, buildEnvVariables: { A: secret }, betaSettings: { a: secret } },
  },
  'apps.k8s.io/Deployment': { metadata: { annotations }, spec: { template: { spec: pod } } },
  'cloudfunctions.googleapis.com/CloudFunction': cloudFunction,
  'cloudfunctions.googleapis.com/Function': cloudFunction,
  'composer.googleapis.com/Environment': {
    config: { softwareConfig: { envVariables: { A: secret }, airflowConfigOverrides: { a: secret } } },
  },
  'compute.googleapis.com/BackendService': {
    iap: { oauth2ClientSecret: secret },
    securitySettings: { awsV4Authentication: { accessKey: secret } },
  },
  'compute.googleapis.com/Disk': { diskEncryptionKey: { rawKey: secret, rsaEncryptedKey: secret } },
  'compute.googleapis.com/Image': { imageEncryptionKey: { rawKey: secret, rsaEncryptedKey: secret } },
  'compute.googleapis.com/Instance': {
    metadata: {
      items: [
        { key: 'startup-script', value: secret },
        { key: 'ssh-keys', value: secret },
      ],
    },
    disks: [{ diskEncryptionKey: { rawKey: secret, rsaEncryptedKey: secret } }],
  },
  'compute.googleapis.com/InstanceTemplate': {
    properties: {
      metadata: { items: [{ key: 'user-data', value: secret }] },
      disks: [{ diskEncryptionKey: { rawKey: secret, rsaEncryptedKey: secret } }],
    },
  },
  'compute.googleapis.com/InterconnectAttachment': { pairingKey: secret },
  'compute.googleapis.com/Project': { commonInstanceMetadata: { items: [{ key: 'x', value: secret }] } },
  'compute.googleapis.com/RegionBackendService': {
    iap: { oauth2ClientSecret: secret },
    securitySettings: { awsV4Authentication: { accessKey: secret } },
  },
  'compute.googleapis.com/RegionDisk': { diskEncryptionKey: { rawKey: secret, rsaEncryptedKey: secret } },
  'compute.googleapis.com/Router': { md5AuthenticationKeys: [{ name: 'k', key: secret }] },
  'compute.googleapis.com/Snapshot': { snapshotEncryptionKey: { rawKey: secret, rsaEncryptedKey: secret } },
  'compute.googleapis.com/SslCertificate': { privateKey: secret, selfManaged: { privateKey: secret } },
  'compute.googleapis.com/VpnTunnel': { sharedSecret: secret, sharedSecretHash: secret },
  'container.googleapis.com/Cluster': {
    masterAuth: { password: secret, clientKey: secret },
    nodeConfig: { metadata: { 'kube-env': secret } },
    nodePools: [{ config: { metadata: { a: secret } } }],
  },
  'container.googleapis.com/NodePool': { config: { metadata: { a: secret } } },
  'dataflow.googleapis.com/Job': {
    ...{
      environment: { sdkPipelineOptions: { a: secret } },
      pipelineDescription: { a: secret },
      steps: [secret],
    },
  },
  'datamigration.googleapis.com/ConnectionProfile': {
    mysql: { password: secret, ssl: { clientKey: secret } },
    forwardSshConnectivity: { privateKey: secret },
    cloudsql: { settings: { rootPassword: secret } },
  },
  'dataproc.googleapis.com/Cluster': {
    config: { gceClusterConfig: { metadata: { a: secret } }, softwareConfig: { properties: { a: secret } } },
  },
  'dataproc.googleapis.com/Job': {
    sparkJob: { args: [secret], properties: { a: secret } },
    hiveJob: { queryList: { queries: [secret] }, scriptVariables: { a: secret } },
  },
  'datastream.googleapis.com/ConnectionProfile': {
    mysqlProfile: { password: secret, sslConfig: { clientKey: secret } },
    forwardSshConnectivity: { privateKey: secret },
  },
  'dlp.googleapis.com/DeidentifyTemplate': { a: [{ cryptoKey: { unwrapped: { key: secret } } }] },
  'extensions.k8s.io/Ingress': { metadata: { annotations } },
  'iam.googleapis.com/ServiceAccountKey': { privateKeyData: secret },
  'k8s.io/Namespace': { metadata: { annotations } },
  'k8s.io/Node': { metadata: { annotations } },
  'k8s.io/Pod': { metadata: { annotations }, spec: pod },
  'k8s.io/Service': { metadata: { annotations } },
  'metastore.googleapis.com/Service': { hiveMetastoreConfig: { configOverrides: { a: secret } } },
  'networking.k8s.io/Ingress': { metadata: { annotations } },
  'networking.k8s.io/NetworkPolicy': { metadata: { annotations } },
  'osconfig.googleapis.com/OSPolicyAssignment': {
    osPolicies: [{ resourceGroups: [{ resources: [{ exec: { validate: { script: secret } } }] }] }],
  },
  'pubsub.googleapis.com/Subscription': { pushConfig: { pushEndpoint: `https://h/p?token=${secret}` } },
  'rbac.authorization.k8s.io/ClusterRole': { metadata: { annotations } },
  'rbac.authorization.k8s.io/ClusterRoleBinding': { metadata: { annotations } },
  'rbac.authorization.k8s.io/Role': { metadata: { annotations } },
  'rbac.authorization.k8s.io/RoleBinding': { metadata: { annotations } },
  'redis.googleapis.com/Instance': { authString: secret },
  'run.googleapis.com/Execution': {
    spec: { template: { spec: { containers: [{ env }] }, containers: [{ env }] } },
    template: { spec: { containers: [{ env }] }, containers: [{ env }] },
  },
  'run.googleapis.com/Job': {
    spec: { template: { spec: { template: { spec: { containers: [{ env }] }, containers: [{ env }] } } } },
    template: { template: { spec: { containers: [{ env }] }, containers: [{ env }] } },
  },
  'run.googleapis.com/Revision': { spec: { containers: [{ env }] }, containers: [{ env }] },
  'run.googleapis.com/Service': {
    spec: { template: { spec: { containers: [{ env }] }, containers: [{ env }] } },
    template: { spec: { containers: [{ env }] }, containers: [{ env }] },
  },
  'secretmanager.googleapis.com/SecretVersion': { payload: { data: secret } },
  'sqladmin.googleapis.com/Instance': {
    rootPassword: secret,
    replicaConfiguration: { mysqlReplicaConfiguration: { password: secret, clientKey: secret } },
    onPremisesConfiguration: { password: secret },
  },
  'tpu.googleapis.com/Node': { metadata: { a: secret } },
};

describe('secrets of resources', () => {
  const withRules = [...kinds.values()].filter(({ redact }) => redact.length > 0);

  test('have a sample for each asset type that has any', () => {
    expect(withRules.map(({ assetType }) => assetType).sort()).toEqual(Object.keys(samples).sort());
  });

  test.each(Object.keys(samples))('of %s are not stored, whatever rule is about them', (assetType) => {
    const config = samples[assetType] as object;
    const declared = kinds.get(assetType) as AssetKind;
    expect(JSON.stringify(withoutSecrets(config, declared.redact))).not.toContain(secret);
    // Each rule removes something that the others leave.
    for (const rule of declared.redact)
      expect(
        JSON.stringify(
          withoutSecrets(
            config,
            declared.redact.filter((other) => other !== rule),
          ),
        ),
        pathOf(rule),
      ).toContain(secret);
  });

  test('leave names, and the settings that checks read', () => {
    const item = (key: string, value: string) => ({ key, value });
    const settings = ['enable-oslogin', 'block-project-ssh-keys', 'serial-port-enable'].map((key) =>
      item(key, 'TRUE'),
    );
    const instance = { metadata: { items: [...settings, item('startup-script', secret)] } };
    expect(stored('compute.googleapis.com/Instance', instance)).toEqual({
      metadata: { items: [...settings, item('startup-script', hidden)] },
    });
    const project = { commonInstanceMetadata: { items: [item('enable-oslogin-2fa', 'TRUE')] } };
    expect(stored('compute.googleapis.com/Project', project)).toEqual(project);
    expect(
      stored('container.googleapis.com/Cluster', { masterAuth: { username: 'admin', password: secret } }),
    ).toEqual({
      masterAuth: { username: 'admin', password: hidden },
    });
    expect(stored('cloudfunctions.googleapis.com/Function', cloudFunction)).toMatchObject({
      serviceConfig: { environmentVariables: { A: hidden } },
    });
    expect(stored('k8s.io/Pod', { metadata: { annotations } })).toMatchObject({
      metadata: { annotations: { owner: 'web' } },
    });
  });
});

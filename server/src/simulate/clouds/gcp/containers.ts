import { type CloudObject, seeded } from '../cloud-object.ts';
import { created, type ProjectContext, region } from './asset.ts';

const version = '1.33.5-gke.1201000';

/** Clusters and serverless workloads. */
export function* containerAssets(context: ProjectContext): Generator<CloudObject> {
  yield* clusterAssets(context);
  const {
    project: { id },
    account,
    one,
  } = context;
  const functionName = `projects/${id}/locations/${region}/functions/import`;
  yield one(
    'cloudfunctions.googleapis.com/Function',
    `//cloudfunctions.googleapis.com/${functionName}`,
    {
      ...{ name: functionName, environment: 'GEN_2', state: 'ACTIVE', updateTime: created },
      buildConfig: { runtime: 'nodejs22', entryPoint: 'handle' },
      serviceConfig: {
        ...{ availableMemory: '256M', timeoutSeconds: 60, ingressSettings: 'ALLOW_INTERNAL_ONLY' },
        ...{ serviceAccountEmail: account, environmentVariables: { REGION: region } },
        secretEnvironmentVariables: [
          { key: 'DB_PASSWORD', projectId: id, secret: 'db-password', version: '3' },
        ],
      },
    },
    { location: region },
  );
  const versionName = `apps/${id}/services/default/versions/v1`;
  yield one('appengine.googleapis.com/Version', `//appengine.googleapis.com/${versionName}`, {
    ...{ name: versionName, id: 'v1', runtime: 'nodejs22', env: 'standard', servingStatus: 'SERVING' },
    handlers: [{ urlRegex: '.*', securityLevel: 'SECURE_ALWAYS', script: { scriptPath: 'auto' } }],
    createTime: created,
  });
}

function* clusterAssets({ company, project: { id }, one, key }: ProjectContext): Generator<CloudObject> {
  const path = `projects/${id}/locations/${region}/clusters/reports`;
  const pool = {
    ...{ name: 'default', status: 'RUNNING', version, initialNodeCount: 1 },
    management: { autoRepair: true, autoUpgrade: true },
    config: {
      ...{ machineType: 'e2-standard-4', imageType: 'COS_CONTAINERD', diskSizeGb: 100 },
      serviceAccount: `gke-nodes@${id}.iam.gserviceaccount.com`,
      oauthScopes: [
        'https://www.googleapis.com/auth/devstorage.read_only',
        'https://www.googleapis.com/auth/logging.write',
        'https://www.googleapis.com/auth/monitoring',
      ],
      metadata: { 'disable-legacy-endpoints': 'true' },
      shieldedInstanceConfig: { enableIntegrityMonitoring: true, enableSecureBoot: true },
      workloadMetadataConfig: { mode: 'GKE_METADATA' },
    },
  };
  yield one(
    'container.googleapis.com/Cluster',
    `//container.googleapis.com/${path}`,
    {
      ...{ name: 'reports', id: seeded(company, 'gke', id).hex(64), status: 'RUNNING', location: region },
      ...{ createTime: created, currentMasterVersion: version, currentNodeVersion: version },
      ...{ network: 'main', subnetwork: 'main', releaseChannel: { channel: 'REGULAR' } },
      networkConfig: {
        network: `projects/${id}/global/networks/main`,
        subnetwork: `projects/${id}/regions/${region}/subnetworks/main`,
      },
      ipAllocationPolicy: { useIpAliases: true, clusterIpv4CidrBlock: '10.20.0.0/14' },
      privateClusterConfig: {
        ...{ enablePrivateNodes: true, enablePrivateEndpoint: true, masterIpv4CidrBlock: '172.16.0.0/28' },
      },
      masterAuthorizedNetworksConfig: {
        enabled: true,
        cidrBlocks: [{ displayName: 'office', cidrBlock: '198.51.100.0/24' }],
      },
      masterAuth: {
        ...{
          clientCertificateConfig: { issueClientCertificate: true },
          clientCertificate: 'LS0tLS1CRUdJTg==',
        },
        clusterCaCertificate: 'LS0tLS1CRUdJTg==',
      },
      ...{ legacyAbac: {}, networkPolicy: { enabled: true, provider: 'CALICO' } },
      addonsConfig: { kubernetesDashboard: { disabled: true }, networkPolicyConfig: {} },
      databaseEncryption: { state: 'ENCRYPTED', keyName: key('clusters') },
      ...{ workloadIdentityConfig: { workloadPool: `${id}.svc.id.goog` }, shieldedNodes: { enabled: true } },
      loggingService: 'logging.googleapis.com/kubernetes',
      monitoringService: 'monitoring.googleapis.com/kubernetes',
      ...{ resourceLabels: { team: 'data' }, nodePools: [pool] },
    },
    { location: region },
  );
  yield one(
    'container.googleapis.com/NodePool',
    `//container.googleapis.com/${path}/nodePools/default`,
    pool,
    { parent: `//container.googleapis.com/${path}`, location: region },
  );
}

import { isoSeconds, millisecondsPerHour } from '../../hour.ts';
import { type CloudObject, uuidOf } from '../cloud-object.ts';
import { created, type ProjectContext, region } from './asset.ts';

const day = 24 * millisecondsPerHour;

/** Buckets, databases, warehouses and the keys that encrypt them. */
export function* dataAssets(context: ProjectContext): Generator<CloudObject> {
  yield* keyAssets(context);
  yield* bucketAssets(context);
  yield* databaseAssets(context);
  yield* warehouseAssets(context);
}

function* keyAssets({ project, today, account, one, key }: ProjectContext): Generator<CloudObject> {
  const { id, number } = project;
  for (const use of ['buckets', 'disks', 'clusters', 'warehouse'])
    yield one(
      'cloudkms.googleapis.com/CryptoKey',
      `//cloudkms.googleapis.com/${key(use)}`,
      {
        ...{ name: key(use), purpose: 'ENCRYPT_DECRYPT', createTime: created, rotationPeriod: '7776000s' },
        nextRotationTime: isoSeconds(today + 30 * day),
        versionTemplate: { algorithm: 'GOOGLE_SYMMETRIC_ENCRYPTION', protectionLevel: 'SOFTWARE' },
      },
      {
        location: region,
        iamPolicy: {
          bindings: [
            {
              role: 'roles/cloudkms.cryptoKeyEncrypterDecrypter',
              members: [`serviceAccount:service-${number}@compute-system.iam.gserviceaccount.com`],
            },
          ],
        },
      },
    );
  const accountName = `//iam.googleapis.com/projects/${id}/serviceAccounts/${number}1`;
  const path = `projects/${id}/serviceAccounts/${account}`;
  yield one('iam.googleapis.com/ServiceAccount', accountName, {
    ...{ name: path, email: account, projectId: id, uniqueId: `${number}1`, displayName: 'Workers' },
  });
  // Google rotates the keys that it manages.
  yield one(
    'iam.googleapis.com/ServiceAccountKey',
    `${accountName}/keys/${number}11`,
    {
      ...{ name: `${path}/keys/${number}11`, keyType: 'SYSTEM_MANAGED', keyOrigin: 'GOOGLE_PROVIDED' },
      ...{ keyAlgorithm: 'KEY_ALG_RSA_2048', validAfterTime: isoSeconds(today - 7 * day) },
      validBeforeTime: isoSeconds(today + 9 * day),
    },
    { parent: accountName },
  );
}

function* bucketAssets({ project: { id }, one, key }: ProjectContext): Generator<CloudObject> {
  for (const use of ['exports', 'staging', 'logs'])
    yield one(
      'storage.googleapis.com/Bucket',
      `//storage.googleapis.com/${id}-${use}`,
      {
        ...{ name: `${id}-${use}`, location: 'EU', storageClass: 'STANDARD', timeCreated: created },
        iamConfiguration: {
          uniformBucketLevelAccess: { enabled: true },
          publicAccessPrevention: 'inherited',
        },
        ...{ versioning: { enabled: true }, logging: { logBucket: `${id}-logs` }, labels: { team: 'data' } },
        ...(use === 'logs' && { retentionPolicy: { retentionPeriod: '31536000', isLocked: true } }),
        encryption: { defaultKmsKeyName: key('buckets') },
      },
      {
        location: 'eu',
        iamPolicy: { bindings: [{ role: 'roles/storage.admin', members: [`projectEditor:${id}`] }] },
      },
    );
}

const flags = {
  POSTGRES_16: {
    ...{ 'cloudsql.enable_pgaudit': 'on', log_connections: 'on', log_disconnections: 'on' },
    ...{ log_statement: 'ddl', log_min_messages: 'warning', log_min_error_statement: 'error' },
  },
  MYSQL_8_0: { skip_show_database: 'on', local_infile: 'off' },
  SQLSERVER_2022_STANDARD: { 'remote access': 'off', '3625': 'on', 'external scripts enabled': 'off' },
} as const;

function* databaseAssets({ project: { id }, one, key }: ProjectContext): Generator<CloudObject> {
  const names = { POSTGRES_16: 'warehouse', MYSQL_8_0: 'catalogue', SQLSERVER_2022_STANDARD: 'ledger' };
  for (const [databaseVersion, own] of Object.entries(flags)) {
    const name = names[databaseVersion as keyof typeof flags];
    yield one(
      'sqladmin.googleapis.com/Instance',
      `//cloudsql.googleapis.com/projects/${id}/instances/${name}`,
      {
        ...{ name, project: id, databaseVersion, region, state: 'RUNNABLE', createTime: created },
        ...{ instanceType: 'CLOUD_SQL_INSTANCE', diskEncryptionConfiguration: { kmsKeyName: key('disks') } },
        ipAddresses: [{ type: 'PRIVATE', ipAddress: '10.156.16.3' }],
        settings: {
          ...{ tier: 'db-custom-4-16384', availabilityType: 'REGIONAL', deletionProtectionEnabled: true },
          ipConfiguration: {
            ...{ ipv4Enabled: false, requireSsl: true, sslMode: 'ENCRYPTED_ONLY', authorizedNetworks: [] },
            privateNetwork: `projects/${id}/global/networks/main`,
          },
          backupConfiguration: { enabled: true, pointInTimeRecoveryEnabled: true },
          databaseFlags: Object.entries(own).map(([flag, value]) => ({ name: flag, value })),
        },
      },
      { location: region },
    );
  }
}

function* warehouseAssets({
  company,
  project: { id },
  account,
  one,
  key,
}: ProjectContext): Generator<CloudObject> {
  const dataset = `//bigquery.googleapis.com/projects/${id}/datasets/sales`;
  const kmsKeyName = key('warehouse');
  yield one(
    'bigquery.googleapis.com/Dataset',
    dataset,
    {
      ...{ id: `${id}:sales`, datasetReference: { projectId: id, datasetId: 'sales' }, location: region },
      access: [
        { role: 'WRITER', specialGroup: 'projectWriters' },
        { role: 'OWNER', specialGroup: 'projectOwners' },
      ],
      ...{ defaultEncryptionConfiguration: { kmsKeyName }, labels: { team: 'data' } },
    },
    {
      location: region,
      iamPolicy: {
        bindings: [{ role: 'roles/bigquery.dataViewer', members: [`serviceAccount:${account}`] }],
      },
    },
  );
  for (const tableId of ['orders', 'customers', 'returns'])
    yield one(
      'bigquery.googleapis.com/Table',
      `${dataset}/tables/${tableId}`,
      {
        ...{ id: `${id}:sales.${tableId}`, type: 'TABLE', location: region },
        tableReference: { projectId: id, datasetId: 'sales', tableId },
        encryptionConfiguration: { kmsKeyName },
      },
      { parent: dataset, location: region },
    );
  yield one(
    'dataproc.googleapis.com/Cluster',
    `//dataproc.googleapis.com/projects/${id}/regions/${region}/clusters/nightly`,
    {
      ...{ projectId: id, clusterName: 'nightly', clusterUuid: uuidOf(company, 'dataproc', id) },
      status: { state: 'RUNNING', stateStartTime: created },
      config: {
        gceClusterConfig: { internalIpOnly: true, serviceAccount: account },
        softwareConfig: { imageVersion: '2.2-debian12' },
        encryptionConfig: { gcePdKmsKeyName: key('disks') },
      },
    },
    { location: region },
  );
}

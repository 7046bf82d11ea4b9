import { millisecondsPerHour } from '../../hour.ts';
import { type CloudObject, seeded } from '../cloud-object.ts';
import { created, type ProjectContext, region, zone } from './asset.ts';

const week = 7 * 24 * millisecondsPerHour;

/** Networks, load balancing and virtual machines. */
export function* computeAssets(context: ProjectContext): Generator<CloudObject> {
  yield* networkAssets(context);
  yield* instanceAssets(context);
}

function* networkAssets({ project: { id, number }, one, link }: ProjectContext): Generator<CloudObject> {
  const compute = `//compute.googleapis.com/projects/${id}`;
  yield one('compute.googleapis.com/Network', `${compute}/global/networks/main`, {
    ...{ name: 'main', selfLink: link('global/networks/main'), autoCreateSubnetworks: false },
    routingConfig: { routingMode: 'REGIONAL' },
  });
  yield one(
    'compute.googleapis.com/Subnetwork',
    `${compute}/regions/${region}/subnetworks/main`,
    {
      ...{ name: 'main', ipCidrRange: '10.156.0.0/20', network: link('global/networks/main') },
      ...{ purpose: 'PRIVATE', privateIpGoogleAccess: true, enableFlowLogs: true },
      logConfig: {
        ...{ enable: true, aggregationInterval: 'INTERVAL_5_SEC', flowSampling: 1 },
        metadata: 'INCLUDE_ALL_METADATA',
      },
    },
    { location: region },
  );
  const rule = { direction: 'INGRESS', disabled: false, priority: 1000, logConfig: { enable: true } };
  const allow = (port: string) => ({ allowed: [{ IPProtocol: 'tcp', ports: [port] }] });
  const network = link('global/networks/main');
  yield one('compute.googleapis.com/Firewall', `${compute}/global/firewalls/allow-ssh`, {
    ...{ name: 'allow-ssh', ...rule, network, ...allow('22'), sourceRanges: ['35.235.240.0/20'] },
  });
  yield one('compute.googleapis.com/Firewall', `${compute}/global/firewalls/allow-proxy`, {
    ...{ name: 'allow-proxy', ...rule, network, ...allow('443') },
    sourceRanges: ['130.211.0.0/22', '35.191.0.0/16'],
  });
  const group = `zones/${zone}/instanceGroups/reports`;
  yield one(
    'compute.googleapis.com/InstanceGroup',
    `${compute}/${group}`,
    {
      name: 'reports',
      network,
      namedPorts: [{ name: 'https', port: 443 }],
      size: 2,
      zone: link(`zones/${zone}`),
    },
    { location: zone },
  );
  yield one('compute.googleapis.com/BackendService', `${compute}/global/backendServices/reports`, {
    ...{ name: 'reports', protocol: 'HTTPS', portName: 'https', loadBalancingScheme: 'EXTERNAL_MANAGED' },
    ...{ backends: [{ group: link(group), balancingMode: 'UTILIZATION' }], iap: { enabled: true } },
    logConfig: { enable: true, sampleRate: 1 },
  });
  yield one('compute.googleapis.com/SslPolicy', `${compute}/global/sslPolicies/restricted`, {
    ...{ name: 'restricted', profile: 'RESTRICTED', minTlsVersion: 'TLS_1_2' },
  });
  yield one('compute.googleapis.com/TargetHttpsProxy', `${compute}/global/targetHttpsProxies/reports`, {
    ...{ name: 'reports', urlMap: link('global/urlMaps/reports'), quicOverride: 'NONE' },
    ...{
      sslPolicy: link('global/sslPolicies/restricted'),
      sslCertificates: [link('global/sslCertificates/reports')],
    },
  });
  const keySpec = (keyType: string, keyLength: number) => ({ keyType, keyLength, algorithm: 'RSASHA256' });
  yield one(
    'dns.googleapis.com/ManagedZone',
    `//dns.googleapis.com/projects/${number}/managedZones/reports`,
    {
      ...{ name: 'reports', dnsName: `${id}.example.`, visibility: 'PUBLIC', creationTime: created },
      dnssecConfig: {
        ...{ state: 'ON', nonExistence: 'NSEC3' },
        defaultKeySpecs: [keySpec('KEY_SIGNING', 2048), keySpec('ZONE_SIGNING', 1024)],
      },
    },
  );
  yield one('dns.googleapis.com/Policy', `//dns.googleapis.com/projects/${number}/policies/query-logging`, {
    ...{ name: 'query-logging', enableLogging: true, enableInboundForwarding: false },
    networks: [{ networkUrl: network }],
  });
}

function* instanceAssets(context: ProjectContext): Generator<CloudObject> {
  const { company, project, index, today, account, one, link, key } = context;
  const { id, number } = project;
  const compute = `//compute.googleapis.com/projects/${id}`;
  yield one('compute.googleapis.com/Project', compute, {
    ...{ name: id, id: number, defaultServiceAccount: `${number}-compute@developer.gserviceaccount.com` },
    ...{ creationTimestamp: created, selfLink: link('').replace(/\/$/, ''), vmDnsSetting: 'ZONAL_ONLY' },
    commonInstanceMetadata: { items: [{ key: 'enable-oslogin', value: 'TRUE' }] },
  });
  // One worker for five hosts, and another one every second week.
  const count = Math.max(2, Math.ceil(company.hosts / 10)) + (Math.floor(today / week) % 2);
  for (let worker = 1; worker <= count; worker++) {
    const name = `worker-${worker}`;
    const place = { location: zone };
    yield one(
      'compute.googleapis.com/Instance',
      `${compute}/zones/${zone}/instances/${name}`,
      {
        ...{ name, id: String(seeded(company, 'instance', id, worker).key()), status: 'RUNNING' },
        ...{ machineType: link(`zones/${zone}/machineTypes/n2d-standard-4`), zone: link(`zones/${zone}`) },
        ...{ creationTimestamp: created, canIpForward: false, labels: { team: 'data' } },
        networkInterfaces: [
          { network: link('global/networks/main'), networkIP: `10.156.${index}.${worker + 3}` },
        ],
        serviceAccounts: [
          { email: account, scopes: ['https://www.googleapis.com/auth/devstorage.read_only'] },
        ],
        shieldedInstanceConfig: { enableSecureBoot: true, enableVtpm: true, enableIntegrityMonitoring: true },
        confidentialInstanceConfig: { enableConfidentialCompute: true, confidentialInstanceType: 'SEV' },
        disks: [{ boot: true, source: link(`zones/${zone}/disks/${name}`), autoDelete: true }],
        metadata: { items: [{ key: 'block-project-ssh-keys', value: 'true' }] },
      },
      place,
    );
    yield one(
      'compute.googleapis.com/Disk',
      `${compute}/zones/${zone}/disks/${name}`,
      {
        ...{ name, status: 'READY', sizeGb: '50', creationTimestamp: created, zone: link(`zones/${zone}`) },
        ...{
          type: link(`zones/${zone}/diskTypes/pd-balanced`),
          users: [link(`zones/${zone}/instances/${name}`)],
        },
        diskEncryptionKey: { kmsKeyName: `${key('disks')}/cryptoKeyVersions/1` },
      },
      place,
    );
  }
}

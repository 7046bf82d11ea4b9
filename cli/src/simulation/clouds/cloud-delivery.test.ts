import { Collection } from '@vedette/server/collect/inventory/collection';
import { MemorySink, type SentSnapshot } from '@vedette/server/collect/inventory/memory-sink.sample';
import { cloudsAt, collectionTimes } from '@vedette/server/simulate/clouds/clouds';
import { plantedMisconfigurations } from '@vedette/server/simulate/clouds/planted';
import { type Company, createCompany } from '@vedette/server/simulate/company/company';
import type { Resource } from '@vedette/server/telemetry/resource';
import { describe, expect, test } from 'vitest';
import { deliverClouds } from './cloud-delivery.ts';
import { simulatedTargets } from './simulated-targets.ts';

const end = Date.parse('2026-03-09T10:00:00.000Z');
const day = 86_400_000;
const company = createCompany({ hosts: 20, seed: 7 });

async function sent(of: Company, days: number, until = end): Promise<SentSnapshot[]> {
  const sink = new MemorySink();
  await deliverClouds(of, { end: until, days }, () => sink);
  return sink.snapshots;
}

const resourcesOf = (snapshots: readonly SentSnapshot[], kind: string, started?: number): Resource[] =>
  snapshots
    .filter((one) => one.kind === kind && (started === undefined || one.started === started))
    .flatMap(({ resources }) => resources);
const idsOf = (resources: readonly Resource[]) => resources.map(({ facts }) => facts.RESOURCE_ID);
const byScope = (snapshots: readonly SentSnapshot[]) => snapshots.map((one) => JSON.stringify(one)).sort();

describe('the simulated clouds', async () => {
  const week = await sent(company, 7);
  const times = collectionTimes(end, 7);
  const last = week.filter(({ started }) => started === times.at(-1));

  test('are collected once a day, within the simulated days', () => {
    expect(times).toHaveLength(7);
    expect([times[0], times.at(-1)]).toEqual([end - 6 * day - 7 * 3_600_000, end - 7 * 3_600_000]);
    expect(new Set(week.map(({ started }) => started))).toEqual(new Set(times));
    // In the night, before the collection of that day.
    expect(collectionTimes(Date.parse('2026-03-09T02:00:00Z'), 1)).toEqual([
      Date.parse('2026-03-08T03:00:00Z'),
    ]);
  });

  test('are read without gaps, and hold a few hundred resources of all clouds', () => {
    const gaps = last.filter(({ status }) => status !== 'collected' && status !== 'empty');
    expect(gaps).toEqual([]);
    const total = last.flatMap(({ resources }) => resources).length;
    expect(total).toBeGreaterThan(400);
    expect(total).toBeLessThan(2_000);
    const kinds = new Set(last.filter(({ status }) => status === 'collected').map(({ kind }) => kind));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        ...['LW_CFG_AWS_ACCOUNTS', 'LW_CFG_AWS_IAM_USERS', 'LW_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT'],
        ...[
          'LW_CFG_AWS_IAM_ACCOUNT_SUMMARY',
          'LW_CFG_AWS_IAM_ACCOUNT_PASSWORD_POLICY',
          'LW_CFG_AWS_IAM_ROLES',
        ],
        ...['LW_CFG_AWS_IAM_POLICIES', 'LW_CFG_AWS_IAM_POLICIES_GET_VERSION', 'LW_CFG_AWS_S3'],
        ...[
          'LW_CFG_AWS_S3_GET_BUCKET_ACL',
          'LW_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS',
          'LW_CFG_AWS_EC2_INSTANCES',
        ],
        ...['LW_CFG_AWS_EC2_SECURITY_GROUPS', 'LW_CFG_AWS_EC2_VOLUMES', 'LW_CFG_AWS_EC2_SNAPSHOTS'],
        ...[
          'LW_CFG_AWS_EC2_VPCS',
          'LW_CFG_AWS_EC2_VPC_FLOW_LOGS',
          'LW_CFG_AWS_CLOUDTRAIL',
          'LW_CFG_AWS_KMS_KEYS',
        ],
        ...['LW_CFG_AWS_RDS_DB_INSTANCES', 'LW_CFG_AWS_LAMBDA', 'LW_CFG_AWS_EKS_CLUSTERS'],
        ...[
          'LW_CFG_AWS_EKS_DESCRIBE_NODEGROUP',
          'LW_CFG_GCP_COMPUTE_INSTANCE',
          'LW_CFG_GCP_COMPUTE_FIREWALL',
        ],
        ...['LW_CFG_GCP_COMPUTE_NETWORK', 'LW_CFG_GCP_STORAGE_BUCKET', 'LW_CFG_GCP_SQLADMIN_INSTANCE'],
        ...['LW_CFG_GCP_IAM_SERVICEACCOUNT', 'LW_CFG_GCP_CLOUDRESOURCEMANAGER_PROJECT_IAMPOLICY'],
        ...['LW_CFG_AZURE_COMPUTE_VIRTUALMACHINES', 'LW_CFG_AZURE_NETWORK_NETWORKSECURITYGROUPS'],
        ...[
          'LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS',
          'LW_CFG_AZURE_SQL_SERVERS',
          'LW_CFG_AZURE_KEYVAULT_VAULTS',
        ],
        ...['LW_CFG_K8S_CLUSTER_NAMESPACE', 'LW_CFG_K8S_CLUSTER_NODE', 'LW_CFG_K8S_CLUSTER_POD'],
        ...['LW_CFG_K8S_CLUSTER_DEPLOYMENT', 'LW_CFG_K8S_CLUSTER_CLUSTERROLE'],
        ...['LW_CFG_K8S_CLUSTER_CLUSTERROLEBINDING'],
      ]),
    );
    expect(
      new Set(resourcesOf(last, 'LW_CFG_AWS_EC2_VPCS').map(({ facts }) => facts.RESOURCE_REGION)),
    ).toEqual(new Set(company.cloud.regions));
  });

  test('are those that the hosts, the pods and CloudTrail name', () => {
    const { machines, people, cloud } = company;
    expect(idsOf(resourcesOf(last, 'LW_CFG_AWS_EC2_INSTANCES'))).toEqual(
      machines.map(({ instanceId }) => instanceId),
    );
    expect(idsOf(resourcesOf(last, 'LW_CFG_AWS_IAM_USERS'))).toEqual(people.map(({ login }) => login));
    expect(idsOf(resourcesOf(last, 'LW_CFG_AWS_CLOUDTRAIL'))).toEqual([cloud.trailName]);
    expect(idsOf(resourcesOf(last, 'LW_CFG_AWS_S3'))).toEqual(cloud.buckets);
    const names = (kind: string) =>
      resourcesOf(last, kind).map(({ config }) => JSON.parse(config).metadata.name as string);
    const pods = machines.flatMap(({ containers }) => containers.flatMap(({ podName }) => podName ?? []));
    expect(pods.length).toBeGreaterThan(0);
    expect(names('LW_CFG_K8S_CLUSTER_POD')).toEqual(expect.arrayContaining(pods));
    for (const { facts } of last
      .filter(({ kind }) => kind.startsWith('LW_CFG_AWS_'))
      .flatMap((one) => one.resources))
      expect(facts.ACCOUNT_ID).toBe(cloud.accountId);
  });

  test.each(plantedMisconfigurations.map((planted) => [planted.id, planted] as const))(
    'have the planted misconfiguration %s',
    (_, { cloud, kind, resource, problem, checks }) => {
      const id = resource(company);
      const found = resourcesOf(last, kind).filter(({ key, facts }) =>
        cloud === 'k8s' ? key.endsWith(`/${id}`) : facts.RESOURCE_ID === id,
      );
      expect(found).toHaveLength(1);
      expect(problem).toMatch(/\.$/);
      expect(checks.length).toBeGreaterThan(0);
    },
  );

  test('are otherwise as checks want them: only planted resources differ from those without', async () => {
    const configs = async (planted?: []) => {
      const sink = new MemorySink();
      const clock = { now: () => end };
      const targets = await simulatedTargets(company, cloudsAt(company, end, planted));
      for (const { cloudAccount, readings } of targets)
        await new Collection({ cloudAccount, sink, clock }).run(
          readings,
          new AbortController().signal,
          () => {},
        );
      const all = sink.snapshots.flatMap(({ kind, resources }) =>
        resources.map(({ key, config }) => [`${kind} ${key}`, config] as const),
      );
      return new Map(all);
    };
    const [clean, whole] = [await configs([]), await configs()];
    const kindOf = (name: string) => name.split(' ')[0] as string;
    const names = [...new Set([...clean.keys(), ...whole.keys()])];
    const differing = names.filter((name) => whole.get(name) !== clean.get(name));
    const kinds = new Set([
      ...plantedMisconfigurations.map(({ kind }) => kind),
      // Companions of the planted ones.
      ...[
        'LW_CFG_AWS_EC2_VPC_FLOW_LOGS',
        'LW_CFG_AWS_IAM_POLICIES_GET_VERSION',
        'LW_CFG_GCP_STORAGE_BUCKET_POLICY',
      ],
      ...['LW_CFG_K8S_CLUSTER_POD_CONTAINER', 'LW_CFG_K8S_CLUSTER_NETWORKPOLICY'],
    ]);
    // The VPC, the policy and the namespace themselves are unchanged: what belongs to them is.
    const unchanged = [...['LW_CFG_AWS_EC2_VPCS', 'LW_CFG_AWS_IAM_POLICIES', 'LW_CFG_K8S_CLUSTER_NAMESPACE']];
    for (const kind of unchanged) kinds.delete(kind);
    expect(new Set(differing.map(kindOf))).toEqual(kinds);
  });

  test('change from day to day: resources are added, changed and removed', () => {
    const changes = { added: 0, changed: 0, removed: 0 };
    const days = new Map(times.map((time) => [time, new Map<string, Resource>()]));
    for (const { kind, started, resources } of week)
      for (const resource of resources) days.get(started)?.set(`${kind} ${resource.key}`, resource);
    for (const [at, time] of times.slice(1).entries()) {
      const [before, after] = [days.get(times[at] as number), days.get(time)];
      for (const [key, one] of after ?? [])
        if (!before?.has(key)) changes.added++;
        else if (before.get(key)?.config !== one.config) changes.changed++;
      for (const key of before?.keys() ?? []) if (!after?.has(key)) changes.removed++;
    }
    for (const count of Object.values(changes)) expect(count).toBeGreaterThan(3);
    expect(changes.changed).toBeLessThan(500);
  });

  test('are deterministic by seed, and continue where an earlier simulation ended', async () => {
    const again = await sent(createCompany({ hosts: 20, seed: 7 }), 3);
    const ofDays = (snapshots: readonly SentSnapshot[]) =>
      byScope(snapshots.filter(({ started }) => started >= (times.at(-3) as number)));
    expect(ofDays(again)).toEqual(ofDays(week));
    const other = await sent(createCompany({ hosts: 20, seed: 8 }), 1);
    expect(byScope(other)).not.toEqual(byScope(last));
    const small = await sent(createCompany({ hosts: 1, seed: 7 }), 1);
    expect(small.flatMap(({ resources }) => resources).length).toBeLessThan(
      last.flatMap(({ resources }) => resources).length,
    );
  });
});

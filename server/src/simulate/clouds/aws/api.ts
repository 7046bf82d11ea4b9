import type { CloudObject } from '../cloud-object.ts';

/** Where a listing has its elements, by call. Calls that are not here return one object. */
const listings: Readonly<Record<string, string>> = {
  DescribeAlarms: 'MetricAlarms',
  DescribeConfigurationRecorderStatus: 'ConfigurationRecordersStatus',
  DescribeConfigurationRecorders: 'ConfigurationRecorders',
  DescribeDBParameterGroups: 'DBParameterGroups',
  DescribeLogGroups: 'logGroups',
  DescribeMetricFilters: 'metricFilters',
  DescribeNetworkAcls: 'NetworkAcls',
  DescribeRegions: 'Regions',
  DescribeRepositories: 'repositories',
  DescribeRouteTables: 'RouteTables',
  DescribeVpcPeeringConnections: 'VpcPeeringConnections',
  DescribeVpcs: 'Vpcs',
  DescribeSubnets: 'Subnets',
  DescribeFlowLogs: 'FlowLogs',
  DescribeSecurityGroups: 'SecurityGroups',
  DescribeVolumes: 'Volumes',
  DescribeSnapshots: 'Snapshots',
  DescribeTrails: 'trailList',
  DescribeDBInstances: 'DBInstances',
  ListAnalyzers: 'analyzers',
  ListBuckets: 'Buckets',
  ListKeys: 'Keys',
  ListFunctions: 'Functions',
  ListClusters: 'clusters',
  ListNodegroups: 'nodegroups',
  ListAccessKeys: 'AccessKeyMetadata',
  ListMFADevices: 'MFADevices',
  ListSAMLProviders: 'SAMLProviderList',
  ListServerCertificates: 'ServerCertificateMetadataList',
  ListTopics: 'Topics',
  ListVirtualMFADevices: 'VirtualMFADevices',
};
const details = ['UserDetailList', 'GroupDetailList', 'RoleDetailList', 'Policies'] as const;

type Answer = Readonly<Record<string, unknown>>;

/** Answers the calls of collectors from objects. */
export class SimulatedAwsApi {
  readonly #objects = new Map<string, CloudObject[]>();

  constructor(objects: Iterable<CloudObject>) {
    for (const object of objects) {
      const known = this.#objects.get(object.api);
      if (known) known.push(object);
      else this.#objects.set(object.api, [object]);
    }
  }

  /** Undefined if there is no such object. Listings without elements have no members. */
  answer(region: string, call: string, input: Answer): Answer | undefined {
    const special = this.#special(call, region, input);
    if (special) return special;
    const named = new Set(Object.values(input).flatMap((value) => (typeof value === 'string' ? value : [])));
    const here = (this.#objects.get(call) ?? []).filter(
      (object) => object.region === undefined || object.region === region,
    );
    const member = listings[call];
    if (member) {
      const below = here.filter(({ of }) => of === undefined || named.has(of));
      return { [member]: below.map(({ value }) => value) };
    }
    const isOf = ({ id }: CloudObject) => [...named].some((name) => name === id || name.endsWith(`/${id}`));
    const found = named.size > 0 ? here.find(isOf) : here[0];
    if (found) return found.value as Answer;
    return /^(?:List|Describe)\w+s$/.test(call) ? {} : undefined;
  }

  #special(call: string, region: string, input: Answer): Answer | undefined {
    switch (call) {
      case 'DescribeInstances': {
        const instances = this.#values(call).filter(({ region: own }) => own === region);
        return { Reservations: instances.map(({ value }) => ({ Instances: [value] })) };
      }
      case 'GetAccountAuthorizationDetails':
        return Object.fromEntries(
          details.map((member) => [member, this.#values(member).map(({ value }) => value)]),
        );
      case 'ListUsers':
        return { Users: this.#values('UserDetailList').map(({ value }) => value) };
      case 'ListRoles':
        return { Roles: this.#values('RoleDetailList').map(({ value }) => value) };
      case 'GenerateCredentialReport':
        return { State: 'COMPLETE' };
      case 'GetCredentialReport':
        return { Content: Buffer.from(this.#credentialReport()) };
      case 'GenerateServiceLastAccessedDetails':
        return { JobId: input.Arn };
      case 'GetServiceLastAccessedDetails':
        return { JobStatus: 'COMPLETED', ServicesLastAccessed: [] };
      default:
        return undefined;
    }
  }

  #credentialReport(): string {
    const rows = this.#values('GetCredentialReport').map(({ value }) => value as Record<string, string>);
    const names = Object.keys(rows[0] ?? {});
    return [names, ...rows.map((row) => names.map((name) => row[name]))].join('\n');
  }

  #values(api: string): CloudObject[] {
    return this.#objects.get(api) ?? [];
  }
}

import type { CloudInstance } from './cloud/cloud-instance.ts';

export interface TaggedHost {
  readonly hostname?: string;
  readonly address?: string;
  readonly isVirtual: boolean;
  readonly instance?: CloudInstance;
  /** Those of the configuration, which come before all others. */
  readonly configured: Readonly<Record<string, string>>;
}

export type Tags = Readonly<Record<string, string>>;

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** The tags of a host. An empty external address says that there is none. */
export function tagsOf({ hostname, address, isVirtual, instance, configured }: TaggedHost): Tags {
  const provider = instance?.provider ?? (isVirtual ? 'HV' : undefined);
  return {
    ExternalIp: '',
    ...instance?.tags,
    ...(hostname !== undefined && { Hostname: hostname }),
    ...(address !== undefined && { InternalIp: address }),
    ...(provider !== undefined && { VmProvider: provider }),
    ...(instance && { InstanceId: instance.instanceId }),
    ...(instance?.zone !== undefined && { Zone: instance.zone }),
    arch: architectures[process.arch] ?? process.arch,
    os: 'linux',
    ...configured,
  };
}

/** The tags that name a host, without those that describe it. */
export function primaryTags(tags: Tags): readonly string[] {
  return ['Name', 'InstanceName', 'Hostname', 'Env', 'Cluster', 'KubernetesCluster'].filter(
    (name) => tags[name] !== undefined,
  );
}

import { clusterVersion } from '../cluster-version.ts';
import { kubeletConfiguration } from '../kubelet-configuration.ts';
import { podContainers } from '../pod-containers.ts';
import { defineK8sService } from '../service.ts';

/** Who may sign in to EKS, name resolution, and the network plugins. */
const configMapNames = [
  ...['aws-auth', 'coredns', 'amazon-vpc-cni', 'calico-config', 'canal-config', 'cilium-config'],
  'kube-flannel-cfg',
];

export default defineK8sService({
  name: 'Kubernetes core',
  group: '',
  version: 'v1',
  kinds: [
    { kind: 'Namespace', resource: 'namespaces', isNamespaced: false },
    {
      kind: 'Node',
      resource: 'nodes',
      isNamespaced: false,
      // They change without any change of the node.
      drops: ['status.conditions.*.lastHeartbeatTime', 'status.images'],
    },
    { kind: 'Pod', resource: 'pods', isNamespaced: true, podSpec: 'spec', parts: podContainers },
    { kind: 'Service', resource: 'services', isNamespaced: true },
    { kind: 'ServiceAccount', resource: 'serviceaccounts', isNamespaced: true },
    {
      kind: 'ConfigMap',
      resource: 'configmaps',
      isNamespaced: true,
      only: { namespace: 'kube-system', names: configMapNames },
    },
    {
      kind: 'Secret',
      resource: 'secrets',
      isNamespaced: true,
      isMetadataOnly: true,
      danger: 'RBAC can not limit it to metadata, so that whoever has it can read the values of all secrets.',
    },
  ],
  reads: [clusterVersion, kubeletConfiguration],
});

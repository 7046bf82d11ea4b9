import type { Option } from '../command.ts';

/** How lists of Kubernetes objects are assigned to a cluster. */
export const k8sImportOptions = {
  cluster: {
    type: 'string',
    value: 'ID',
    description: 'id of the cluster of the files; default: that of the namespace kube-system in them',
  },
  'cluster-type': { type: 'string', value: 'TYPE', description: 'EKS, GKE or AKS, with --cluster' },
  'all-namespaces': {
    type: 'boolean',
    description: 'the lists are complete, although all objects are in one namespace',
  },
} as const satisfies Record<string, Option>;

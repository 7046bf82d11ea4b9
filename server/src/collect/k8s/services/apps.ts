import { defineK8sService } from '../service.ts';

const podSpec = 'spec.template.spec';

export default defineK8sService({
  name: 'Kubernetes apps',
  group: 'apps',
  version: 'v1',
  kinds: [
    { kind: 'Deployment', resource: 'deployments', isNamespaced: true, podSpec },
    { kind: 'DaemonSet', resource: 'daemonsets', isNamespaced: true, podSpec },
    { kind: 'StatefulSet', resource: 'statefulsets', isNamespaced: true, podSpec },
    { kind: 'ReplicaSet', resource: 'replicasets', isNamespaced: true, podSpec },
  ],
});

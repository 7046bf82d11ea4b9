import { defineK8sService } from '../service.ts';

export default defineK8sService({
  name: 'Kubernetes RBAC',
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kinds: [
    { kind: 'Role', resource: 'roles', isNamespaced: true },
    { kind: 'RoleBinding', resource: 'rolebindings', isNamespaced: true },
    { kind: 'ClusterRole', resource: 'clusterroles', isNamespaced: false },
    { kind: 'ClusterRoleBinding', resource: 'clusterrolebindings', isNamespaced: false },
  ],
});

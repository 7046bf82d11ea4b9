import { objectSecrets } from '../kubernetes-secrets.ts';
import { defineGcpService } from '../service.ts';

const types = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

export default defineGcpService({
  name: 'Kubernetes access control',
  prefix: 'rbac',
  host: 'rbac.authorization.k8s.io',
  group: 'containers',
  labels: 'metadata.labels',
  types: types.map((type) => ({ type, redact: objectSecrets })),
});

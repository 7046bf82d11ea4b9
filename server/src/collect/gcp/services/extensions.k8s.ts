import { objectSecrets } from '../kubernetes-secrets.ts';
import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Kubernetes extensions',
  prefix: 'extensions',
  host: 'extensions.k8s.io',
  group: 'containers',
  labels: 'metadata.labels',
  types: [{ type: 'Ingress', redact: objectSecrets }],
});

import { podSecrets } from '../kubernetes-secrets.ts';
import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Kubernetes workloads',
  prefix: 'apps',
  host: 'apps.k8s.io',
  group: 'containers',
  labels: 'metadata.labels',
  types: [{ type: 'Deployment', redact: podSecrets('spec.template.spec') }],
});

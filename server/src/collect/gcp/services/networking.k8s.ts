import { objectSecrets } from '../kubernetes-secrets.ts';
import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Kubernetes networks',
  prefix: 'networking',
  host: 'networking.k8s.io',
  group: 'containers',
  labels: 'metadata.labels',
  types: [
    { type: 'Ingress', redact: objectSecrets },
    { type: 'NetworkPolicy', redact: objectSecrets },
  ],
});

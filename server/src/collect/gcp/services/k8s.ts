import { objectSecrets, podSecrets } from '../kubernetes-secrets.ts';
import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Kubernetes objects',
  prefix: 'k8s',
  host: 'k8s.io',
  group: 'containers',
  labels: 'metadata.labels',
  types: [
    { type: 'Namespace', redact: objectSecrets },
    { type: 'Node', redact: objectSecrets },
    { type: 'Pod', redact: podSecrets('spec') },
    { type: 'Service', redact: objectSecrets },
  ],
});

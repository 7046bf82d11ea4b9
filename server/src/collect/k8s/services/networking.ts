import { defineK8sService } from '../service.ts';

export default defineK8sService({
  name: 'Kubernetes networking',
  group: 'networking.k8s.io',
  version: 'v1',
  kinds: [
    { kind: 'Ingress', resource: 'ingresses', isNamespaced: true },
    { kind: 'NetworkPolicy', resource: 'networkpolicies', isNamespaced: true },
  ],
});

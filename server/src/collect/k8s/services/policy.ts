import { defineK8sService } from '../service.ts';

/** Removed in Kubernetes 1.25: not enabled in later clusters. */
export default defineK8sService({
  name: 'Kubernetes policy',
  group: 'policy',
  version: 'v1beta1',
  kinds: [{ kind: 'PodSecurityPolicy', resource: 'podsecuritypolicies', isNamespaced: false }],
});

import { defineK8sService } from '../service.ts';

export default defineK8sService({
  name: 'Kubernetes admission',
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kinds: [
    {
      kind: 'ValidatingWebhookConfiguration',
      resource: 'validatingwebhookconfigurations',
      isNamespaced: false,
    },
    { kind: 'MutatingWebhookConfiguration', resource: 'mutatingwebhookconfigurations', isNamespaced: false },
    { kind: 'ValidatingAdmissionPolicy', resource: 'validatingadmissionpolicies', isNamespaced: false },
  ],
});

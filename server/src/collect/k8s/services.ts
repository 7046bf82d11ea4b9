import type { K8sService } from './service.ts';
import admissionregistration from './services/admissionregistration.ts';
import apps from './services/apps.ts';
import batch from './services/batch.ts';
import core from './services/core.ts';
import networking from './services/networking.ts';
import policy from './services/policy.ts';
import rbac from './services/rbac.ts';

/** Every API group that is read. */
export const k8sServices: readonly K8sService[] = [
  ...[core, apps, batch, networking, rbac],
  ...[admissionregistration, policy],
];

import { defineK8sService } from '../service.ts';

export default defineK8sService({
  name: 'Kubernetes batch',
  group: 'batch',
  version: 'v1',
  kinds: [
    { kind: 'Job', resource: 'jobs', isNamespaced: true, podSpec: 'spec.template.spec' },
    {
      kind: 'CronJob',
      resource: 'cronjobs',
      isNamespaced: true,
      podSpec: 'spec.jobTemplate.spec.template.spec',
      // They change with every run.
      drops: ['status.active', 'status.lastScheduleTime', 'status.lastSuccessfulTime'],
    },
  ],
});

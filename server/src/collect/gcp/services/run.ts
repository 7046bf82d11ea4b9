import { defineGcpService } from '../service.ts';

/** Services are in the form of Knative, jobs in either form. */
const env = (template: string) => [
  `${template}.spec.containers.*.env.*.value`,
  `${template}.containers.*.env.*.value`,
];

export default defineGcpService({
  name: 'Cloud Run',
  prefix: 'run',
  group: 'containers',
  labels: 'metadata.labels',
  types: [
    'DomainMapping',
    { type: 'Execution', redact: [...env('spec.template'), ...env('template')] },
    {
      type: 'Job',
      redact: [...env('spec.template.spec.template'), ...env('template.template')],
    },
    { type: 'Revision', redact: ['spec.containers.*.env.*.value', 'containers.*.env.*.value'] },
    { type: 'Service', redact: [...env('spec.template'), ...env('template')] },
  ],
});

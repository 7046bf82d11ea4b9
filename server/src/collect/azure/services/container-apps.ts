import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Container Apps',
  namespace: 'Microsoft.App',
  types: [
    {
      type: 'Microsoft.App/containerApps',
      redact: [
        'configuration.secrets.*.value',
        'template.containers.*.env.*.value',
        'template.initContainers.*.env.*.value',
      ],
    },
    {
      type: 'Microsoft.App/managedEnvironments',
      redact: [
        'appLogsConfiguration.logAnalyticsConfiguration.sharedKey',
        'daprAIConnectionString',
        'daprAIInstrumentationKey',
        'customDomainConfiguration.certificatePassword',
        'customDomainConfiguration.certificateValue',
      ],
    },
  ],
});

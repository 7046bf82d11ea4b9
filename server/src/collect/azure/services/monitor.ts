import { defineAzureService } from '../service.ts';

/** Diagnostic settings are declared by the types that have them. */
export default defineAzureService({
  name: 'Monitor',
  namespace: 'Microsoft.Insights',
  types: [
    { type: 'Microsoft.Insights/activityLogAlerts' },
    // Service addresses often carry a key.
    {
      type: 'Microsoft.Insights/actionGroups',
      redact: [
        'webhookReceivers.*.serviceUri',
        'azureFunctionReceivers.*.httpTriggerUrl',
        'logicAppReceivers.*.callbackUrl',
        'automationRunbookReceivers.*.serviceUri',
      ],
    },
    { type: 'Microsoft.Insights/components', redact: ['InstrumentationKey', 'ConnectionString'] },
    { type: 'Microsoft.Insights/dataCollectionRules' },
    { type: 'Microsoft.Insights/metricAlerts' },
    { type: 'Microsoft.Insights/scheduledQueryRules' },
  ],
  subscription: [
    {
      type: 'Microsoft.Insights/logProfiles',
      path: 'providers/Microsoft.Insights/logProfiles',
      apiVersion: '2016-03-01',
      isList: true,
      keepsEmpty: true,
    },
  ],
});

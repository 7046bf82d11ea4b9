import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Automation',
  namespace: 'Microsoft.Automation',
  types: [
    {
      type: 'Microsoft.Automation/automationAccounts',
      children: [
        {
          type: 'Microsoft.Automation/automationAccounts/variables',
          path: 'variables',
          apiVersion: '2023-11-01',
          isList: true,
          redact: ['value'],
        },
      ],
    },
    { type: 'Microsoft.Automation/automationAccounts/runbooks' },
  ],
});

import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Defender for Cloud',
  namespace: 'Microsoft.Security',
  types: [
    { type: 'Microsoft.Security/pricings', table: 'securityresources' },
    { type: 'Microsoft.Security/assessments', table: 'securityresources' },
    { type: 'Microsoft.Security/iotSecuritySolutions' },
    { type: 'Microsoft.Security/securityConnectors' },
    { type: 'Microsoft.Security/automations', redact: ['actions.*.connectionString', 'actions.*.uri'] },
  ],
  subscription: [
    {
      type: 'Microsoft.Security/securityContacts',
      path: 'providers/Microsoft.Security/securityContacts',
      apiVersion: '2023-12-01-preview',
      isList: true,
      keepsEmpty: true,
    },
    {
      type: 'Microsoft.Security/settings',
      path: 'providers/Microsoft.Security/settings',
      apiVersion: '2022-05-01',
      isList: true,
      keepsEmpty: true,
    },
    {
      type: 'Microsoft.Security/autoProvisioningSettings',
      path: 'providers/Microsoft.Security/autoProvisioningSettings',
      apiVersion: '2017-08-01-preview',
      isList: true,
      keepsEmpty: true,
    },
    {
      type: 'Microsoft.Security/locations/jitNetworkAccessPolicies',
      path: 'providers/Microsoft.Security/jitNetworkAccessPolicies',
      apiVersion: '2020-01-01',
      isList: true,
    },
  ],
});

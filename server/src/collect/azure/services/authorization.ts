import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Authorization',
  namespace: 'Microsoft.Authorization',
  types: [
    { type: 'Microsoft.Authorization/roleAssignments', table: 'authorizationresources' },
    { type: 'Microsoft.Authorization/roleDefinitions', table: 'authorizationresources' },
    { type: 'Microsoft.Authorization/policyAssignments', table: 'policyresources' },
  ],
  subscription: [
    {
      type: 'Microsoft.Authorization/locks',
      path: 'providers/Microsoft.Authorization/locks',
      apiVersion: '2016-09-01',
      isList: true,
    },
    {
      type: 'Microsoft.Authorization/denyAssignments',
      path: 'providers/Microsoft.Authorization/denyAssignments',
      apiVersion: '2022-04-01',
      isList: true,
    },
  ],
});

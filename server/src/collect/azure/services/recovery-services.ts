import { defineAzureService } from '../service.ts';

const table = 'recoveryservicesresources';

export default defineAzureService({
  name: 'Recovery Services',
  namespace: 'Microsoft.RecoveryServices',
  types: [
    { type: 'Microsoft.RecoveryServices/vaults' },
    { type: 'Microsoft.RecoveryServices/vaults/backupPolicies', table },
    {
      type: 'Microsoft.RecoveryServices/vaults/backupFabrics/protectionContainers/protectedItems',
      table,
    },
    {
      type: 'Microsoft.RecoveryServices/vaults/replicationFabrics/replicationProtectionContainers/replicationProtectedItems',
      table,
    },
  ],
});

import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Backup',
  prefix: 'backup',
  load: () => import('@aws-sdk/client-backup'),
  client: 'BackupClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_BACKUP_BACKUP_PLANS',
      type: 'backup:plan',
      call: 'ListBackupPlans',
      items: 'BackupPlansList',
      id: '{BackupPlanId}',
      arn: '{BackupPlanArn}',
    },
    {
      kind: 'LW_CFG_AWS_BACKUP_BACKUP_VAULTS',
      type: 'backup:vault',
      call: 'ListBackupVaults',
      items: 'BackupVaultList',
      id: '{BackupVaultName}',
      arn: '{BackupVaultArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_BACKUP_RECOVERY_POINTS_BY_RESOURCE',
          type: 'backup:recovery-point',
          // The other call does not say whether a point is encrypted.
          call: 'ListRecoveryPointsByBackupVault',
          fills: 'ListRecoveryPointsByResource',
          input: { BackupVaultName: '{BackupVaultName}' },
          items: 'RecoveryPoints',
          id: '{RecoveryPointArn}',
        },
      ],
    },
    {
      kind: 'LW_CFG_AWS_BACKUP_PROTECTED_RESOURCES',
      type: 'backup:protected-resource',
      call: 'ListProtectedResources',
      items: 'Results',
      id: '{ResourceArn}',
    },
  ],
});

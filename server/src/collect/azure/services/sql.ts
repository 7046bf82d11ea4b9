import { defineAzureService } from '../service.ts';

const apiVersion = '2021-11-01';
const redact = ['storageAccountAccessKey', 'storageContainerSasKey'];

export default defineAzureService({
  name: 'SQL',
  namespace: 'Microsoft.Sql',
  types: [
    {
      type: 'Microsoft.Sql/servers',
      redact: ['administratorLoginPassword'],
      children: [
        {
          type: 'Microsoft.Sql/servers/administrators',
          path: 'administrators',
          isList: true,
          apiVersion,
        },
        {
          type: 'Microsoft.Sql/servers/advancedThreatProtectionSettings',
          path: 'advancedThreatProtectionSettings/Default',
          apiVersion,
        },
        {
          type: 'Microsoft.Sql/servers/auditingSettings',
          path: 'auditingSettings/default',
          ...{ apiVersion, redact },
        },
        {
          type: 'Microsoft.Sql/servers/encryptionProtector',
          path: 'encryptionProtector/current',
          apiVersion,
        },
        { type: 'Microsoft.Sql/servers/firewallRules', path: 'firewallRules', isList: true, apiVersion },
        {
          type: 'Microsoft.Sql/servers/securityAlertPolicies',
          path: 'securityAlertPolicies/Default',
          ...{ apiVersion, redact },
        },
        {
          type: 'Microsoft.Sql/servers/vulnerabilityAssessments',
          kind: 'LW_CFG_AZURE_SQL_SERVERS_VULNERABILITY_ASSESSMENTS',
          path: 'vulnerabilityAssessments/default',
          ...{ apiVersion, redact },
        },
      ],
    },
    {
      type: 'Microsoft.Sql/servers/databases',
      children: [
        {
          type: 'Microsoft.Sql/servers/databases/transparentDataEncryption',
          path: 'transparentDataEncryption/current',
          except: ['master'],
          apiVersion,
        },
        {
          type: 'Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies',
          path: 'backupLongTermRetentionPolicies/default',
          except: ['master'],
          // Data warehouses and some editions have no such backups.
          none: ['LongTermRetentionPolicyNotSupported', 'BackupLongTermRetentionPolicyNotSupported'],
          apiVersion,
        },
      ],
    },
    {
      type: 'Microsoft.Sql/managedInstances',
      redact: ['administratorLoginPassword'],
      children: [
        {
          type: 'Microsoft.Sql/managedInstances/encryptionProtector',
          path: 'encryptionProtector/current',
          apiVersion,
        },
        {
          type: 'Microsoft.Sql/managedInstances/vulnerabilityAssessments',
          path: 'vulnerabilityAssessments/default',
          ...{ apiVersion, redact },
        },
      ],
    },
    { type: 'Microsoft.Sql/managedInstances/databases' },
    { type: 'Microsoft.Sql/servers/elasticPools' },
  ],
});

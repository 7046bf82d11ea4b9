import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'HDInsight',
  namespace: 'Microsoft.HDInsight',
  types: [
    {
      type: 'Microsoft.HDInsight/clusters',
      redact: [
        'clusterDefinition.configurations.*',
        'computeProfile.roles.*.osProfile.linuxOperatingSystemProfile.password',
        'computeProfile.roles.*.scriptActions.*.parameters',
        'securityProfile.domainUserPassword',
        'storageProfile.storageaccounts.*.key',
        'storageProfile.storageaccounts.*.saskey',
      ],
    },
  ],
});

import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'HPC Cache',
  namespace: 'Microsoft.StorageCache',
  types: [
    {
      type: 'Microsoft.StorageCache/caches',
      redact: [
        'directoryServicesSettings.activeDirectory.credentials',
        'directoryServicesSettings.usernameDownload.credentials',
      ],
    },
  ],
});

import { defineAzureService } from '../service.ts';

const apiVersion = '2023-05-01';
/** Some kinds of accounts have only blobs or only files. */
const none = ['FeatureNotSupportedForAccount'];

export default defineAzureService({
  name: 'Storage',
  namespace: 'Microsoft.Storage',
  // Documented: 800 reads in 5 minutes for each region of a subscription.
  rate: { perSecond: 800 / 300 },
  types: [
    {
      type: 'Microsoft.Storage/storageAccounts',
      diagnostics: [
        '',
        'blobServices/default',
        'fileServices/default',
        'queueServices/default',
        'tableServices/default',
      ],
      children: [
        {
          type: 'Microsoft.Storage/storageAccounts/blobServices',
          path: 'blobServices/default',
          ...{ apiVersion, none },
        },
        {
          type: 'Microsoft.Storage/storageAccounts/fileServices',
          path: 'fileServices/default',
          ...{ apiVersion, none },
        },
        {
          type: 'Microsoft.Storage/storageAccounts/blobServices/containers',
          path: 'blobServices/default/containers',
          isList: true,
          ...{ apiVersion, none },
        },
        {
          type: 'Microsoft.Storage/storageAccounts/encryptionScopes',
          path: 'encryptionScopes',
          isList: true,
          ...{ apiVersion, none },
        },
      ],
    },
  ],
});

import { defineAzureService } from '../service.ts';

const apiVersion = '2023-07-01';

/** The management plane returns keys and secrets without their values. */
export default defineAzureService({
  name: 'Key Vault',
  namespace: 'Microsoft.KeyVault',
  types: [
    {
      type: 'Microsoft.KeyVault/vaults',
      diagnostics: [''],
      children: [
        // Only the single key has its rotation policy.
        { type: 'Microsoft.KeyVault/vaults/keys', path: 'keys', isList: true, isSummary: true, apiVersion },
        {
          type: 'Microsoft.KeyVault/vaults/secrets',
          path: 'secrets',
          isList: true,
          redact: ['value'],
          apiVersion,
        },
      ],
    },
    { type: 'Microsoft.KeyVault/managedHSMs' },
  ],
});

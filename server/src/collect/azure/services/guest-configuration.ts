import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Guest Configuration',
  namespace: 'Microsoft.GuestConfiguration',
  types: [
    {
      type: 'Microsoft.GuestConfiguration/guestConfigurationAssignments',
      table: 'guestconfigurationresources',
    },
  ],
});

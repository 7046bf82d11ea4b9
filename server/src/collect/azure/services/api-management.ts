import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'API Management',
  namespace: 'Microsoft.ApiManagement',
  types: [
    {
      type: 'Microsoft.ApiManagement/service',
      redact: [
        'certificates.*.certificatePassword',
        'certificates.*.encodedCertificate',
        'hostnameConfigurations.*.certificatePassword',
        'hostnameConfigurations.*.encodedCertificate',
      ],
    },
  ],
});

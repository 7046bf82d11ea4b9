import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, destination, requiredString } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'OciCfg',
  lacksCollector: true,
  description: 'Reads the configuration of an Oracle Cloud tenancy.',
  data: Type.Object({
    credentials: Type.Object(
      {
        fingerprint: requiredString('Fingerprint of the API key.', 200),
        privateKey: Type.Optional(blankSecret('Private key, PEM.')),
      },
      { description: 'API key of the user.' },
    ),
    homeRegion: destination(requiredString('Home region of the tenancy.', 100)),
    tenantId: requiredString('OCID of the tenancy.', 300),
    tenantName: requiredString('Name of the tenancy.', 300),
    userOcid: requiredString('OCID of the user.', 300),
  }),
  unique: { noun: 'Tenant', identify: ({ tenantId }) => String(tenantId) },
});

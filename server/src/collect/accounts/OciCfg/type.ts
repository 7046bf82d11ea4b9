import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, destination, text } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'OciCfg',
  description: 'Reads the configuration of an Oracle Cloud tenancy.',
  data: Type.Object({
    credentials: Type.Object(
      {
        fingerprint: text('Fingerprint of the API key.', 200),
        privateKey: Type.Optional(blankSecret('Private key, PEM.')),
      },
      { description: 'API key of the user.' },
    ),
    homeRegion: destination(text('Home region of the tenancy.', 100)),
    tenantId: text('OCID of the tenancy.', 300),
    tenantName: text('Name of the tenancy.', 300),
    userOcid: text('OCID of the user.', 300),
  }),
  unique: { what: 'Tenant', identify: ({ tenantId }) => String(tenantId) },
});

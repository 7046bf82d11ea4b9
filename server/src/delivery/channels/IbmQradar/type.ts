import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice, requiredString } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'IbmQradar',
  description: 'Sends alerts to QRadar.',
  data: Type.Object({
    qradarHostUrl: requiredString('Host of QRadar.'),
    qradarHostPort: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'Port of its HTTP receiver: 12469 unless given.',
      }),
    ),
    qradarCommType: choice(['HTTPS', 'HTTPS Self Signed Cert'], 'How its certificate is checked.'),
  }),
});

import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'EmailUser',
  description: 'Sends alerts and reports by e-mail.',
  data: Type.Object({
    channelProps: Type.Object(
      {
        recipients: Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
          minItems: 1,
          maxItems: 1_000,
          description: 'E-mail addresses.',
        }),
      },
      { description: 'Recipients.' },
    ),
    notificationTypes: Type.Optional(
      Type.Object(
        {
          properties: Type.Optional(
            Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { description: 'Reports by name.' }),
          ),
        },
        { description: 'Reports to send.' },
      ),
    ),
  }),
});

import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { webAddress } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'Webhook',
  description: 'Posts alerts as JSON to any address.',
  data: Type.Object({
    webhookUrl: webAddress('Address that receives the alerts.'),
  }),
});

import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { webAddress } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'CiscoSparkWebhook',
  description: 'Posts alerts to a Webex space.',
  data: Type.Object({
    webhook: webAddress('Address of the incoming webhook.'),
  }),
});

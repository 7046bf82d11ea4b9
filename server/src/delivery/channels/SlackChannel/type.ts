import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { webAddress } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'SlackChannel',
  description: 'Posts alerts to a Slack channel.',
  data: Type.Object({
    slackUrl: webAddress('Address of the incoming webhook.'),
  }),
});

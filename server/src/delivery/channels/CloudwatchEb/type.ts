import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { text } from '../../../integrations/members.ts';
import { issueGrouping } from '../../issue-grouping.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'CloudwatchEb',
  description: 'Puts alerts on an EventBridge bus.',
  data: Type.Object({
    eventBusArn: text('Bus that receives the alerts.'),
    issueGrouping: Type.Optional(issueGrouping),
  }),
});

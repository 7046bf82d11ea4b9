import { Type } from 'typebox';
import { cloudName } from '../../../integrations/cloud-names.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { issueGrouping } from '../../issue-grouping.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'CloudwatchEb',
  description: 'Puts alerts on an EventBridge bus.',
  data: Type.Object({
    eventBusArn: cloudName('awsEventBus', 'Bus that receives the alerts.'),
    issueGrouping: Type.Optional(issueGrouping),
  }),
});

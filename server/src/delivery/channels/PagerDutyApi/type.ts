import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'PagerDutyApi',
  description: 'Triggers PagerDuty incidents.',
  fixedDestination: 'events.pagerduty.com',
  data: Type.Object({
    apiIntgKey: blankSecret('Integration key.'),
  }),
});

import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { destination, shownSecret } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'NewRelicInsights',
  description: 'Sends alerts to New Relic as events.',
  data: Type.Object({
    accountId: destination(Type.Integer({ minimum: 0, description: 'New Relic account.' })),
    insertKey: shownSecret('Insert key or licence key.'),
  }),
});

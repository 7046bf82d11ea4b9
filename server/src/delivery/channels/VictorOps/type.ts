import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { webAddress } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'VictorOps',
  description: 'Sends alerts to Splunk On-Call.',
  data: Type.Object({
    intgUrl: webAddress('Address of the REST endpoint.'),
  }),
});

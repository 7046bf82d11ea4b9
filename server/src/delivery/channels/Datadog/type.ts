import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, destination } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'Datadog',
  description: 'Sends alerts to Datadog.',
  data: Type.Object({
    apiKey: blankSecret('API key.'),
    datadogSite: Type.Optional(
      destination(choice(['com', 'eu'], 'Site of the organization.'), { leftOut: 'com' }),
    ),
    datadogType: Type.Optional(
      choice(['Logs Detail', 'Logs Summary', 'Events Summary'], 'Format of the alerts in Datadog.'),
    ),
  }),
});

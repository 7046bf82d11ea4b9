import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, destination, requiredString, shownSecret } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'SplunkHec',
  description: 'Sends alerts to a Splunk HTTP event collector.',
  data: Type.Object({
    hecToken: shownSecret('Token of the collector.'),
    host: destination(requiredString('Host of the collector.')),
    port: destination(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'Port of the collector; 0 means 8088.',
      }),
    ),
    ssl: Type.Optional(
      destination(Type.Boolean({ description: 'Whether the collector uses TLS.' }), { leftOut: false }),
    ),
    channel: Type.Optional(anyString('Channel of the events.')),
    eventData: Type.Object(
      {
        index: requiredString('Index of the events.', 300),
        source: requiredString('Source of the events.', 300),
      },
      { description: 'Index and source of the events.' },
    ),
  }),
});

import { Type } from 'typebox';
import { empty } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';

const family = { name: 'ClientTelemetry', description: 'What clients report about their own use.' };

const postOtelMetrics = defineRoute({
  method: 'POST',
  path: '/api/v2/telemetry/OtelMetrics',
  family,
  summary: 'Accept and throw away the usage report of a client',
  description: 'The command line sends one around every command and one provider fails when it is refused.',
  access: 'any',
  rate: 'exempt',
  query: Type.Object({
    dataset: Type.Optional(Type.String({ maxLength: 200, description: 'The client’s name for the report.' })),
  }),
  body: 'discarded',
  replies: { 204: empty('The report was discarded.') },
});

export const telemetryRoutes = () => [postOtelMetrics.handle(async () => ({ status: 204 }))];

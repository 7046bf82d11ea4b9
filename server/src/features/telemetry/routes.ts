import { Type } from 'typebox';
import { empty } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';

const family = { name: 'ClientTelemetry', description: 'Usage reports of clients.' };

const postOtelMetrics = defineRoute({
  method: 'POST',
  path: '/api/v2/telemetry/OtelMetrics',
  family,
  summary: 'Accept and discard the usage report of a client',
  description: 'The CLI sends a report with every command, and a Terraform provider fails if it is rejected.',
  access: 'any',
  rate: 'exempt',
  query: Type.Object({
    dataset: Type.Optional(
      Type.String({ maxLength: 200, description: 'Name of the report, chosen by the client.' }),
    ),
  }),
  body: 'discarded',
  replies: { 204: empty('The report was discarded.') },
});

export const telemetryRoutes = () => [postOtelMetrics.handle(async () => ({ status: 204 }))];

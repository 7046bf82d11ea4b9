import { Type } from 'typebox';
import type { IntegrationRouteDeps } from '../../families/integration-routes.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { IntegrationRecord } from '../../integrations/record.ts';
import { Refusal } from '../../platform/errors.ts';
import { formatInstant, instantFormats, parseInstant } from '../../platform/instant.ts';
import { quoted } from '../../platform/quoted.ts';

const body = Type.Object({
  data: Type.Object(
    {
      intgGuid: Type.String({ minLength: 1, maxLength: 200, description: 'Identifier (intgGuid).' }),
      props: Type.Object(
        {
          migrate: Type.Boolean({ description: 'Whether the integration is to be migrated.' }),
          migrationTimestamp: Type.String({
            minLength: 1,
            maxLength: 40,
            description: `Time of the request: ${instantFormats}.`,
          }),
        },
        { description: 'Properties of the migration.' },
      ),
    },
    { description: 'The integration to migrate.' },
  ),
});

/** Called by the CLI for one type of cloud account. */
export function migrationRoute({ name, title, family, integrations }: IntegrationRouteDeps): Route {
  const migrate = defineRoute({
    method: 'PATCH',
    path: '/api/v2/migrateGcpAtSes',
    family,
    org: true,
    summary: 'Mark a Google Cloud audit-log integration for migration',
    description: 'Stores the mark and its timestamp in `props` of the integration.',
    access: 'write',
    audit: `${title} Updated`,
    body,
    replies: { 200: Type.Object({ data: IntegrationRecord }) },
    refuses: ['NOT_FOUND'],
  });
  return migrate.handle(async ({ actor, scope, origin, body: { data } }) => {
    const { migrate, migrationTimestamp } = data.props;
    const instant = parseInstant(migrationTimestamp);
    if (instant === undefined) {
      throw new Refusal(
        'INVALID_INPUT',
        `data.props.migrationTimestamp ${quoted(migrationTimestamp)} is not a date: write it as ${instantFormats}.`,
      );
    }
    const set = { scope, family: name, url: origin.url };
    const props = { migrate, migrationTimestamp: formatInstant(instant) };
    const only = { type: 'GcpAtSes', member: 'data.intgGuid' };
    const record = await integrations.addProps(actor, set, data.intgGuid, props, only);
    return { status: 200, body: { data: record } };
  });
}

import { Type } from 'typebox';
import { JsonString } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { cspNames, inventoryRecord } from '../../telemetry/inventory-record.ts';
import { recordSchema } from '../../telemetry/record-form.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { family } from './family.ts';
import { providerOf } from './search.ts';

const version = Type.Object({
  ...recordSchema(inventoryRecord).properties,
  validFrom: Type.String({ maxLength: 30, description: 'First collection with this version.' }),
  validUntil: Type.Union([Type.String({ maxLength: 30 }), Type.Null()], {
    description: 'First collection without it; null if it is current.',
  }),
});

const listVersions = defineRoute({
  method: 'GET',
  path: '/api/v2/Inventory/versions',
  family,
  summary: 'List the versions of a resource',
  description: 'Newest first, at most 1,000. A configuration that did not change is one version.',
  access: 'read',
  query: Type.Object({
    csp: Type.Enum([cspNames.aws, cspNames.azure, cspNames.gcp, cspNames.k8s], {
      description: 'Cloud provider.',
    }),
    urn: Type.String({ minLength: 1, maxLength: 4_096, description: 'Unique name of the resource.' }),
  }),
  replies: { 200: Type.Object({ data: Type.Array(version, { description: 'The versions.' }) }) },
});

export const inventoryVersionRoutes = ({ telemetry }: { telemetry: Telemetry }) => [
  listVersions.handle(async ({ scope, query }) => {
    const rows = await telemetry.resources.versions(scope.ownerId, providerOf(query), query.urn);
    return { status: 200, body: new JsonString(`{"data":[${rows}]}`) };
  }),
];

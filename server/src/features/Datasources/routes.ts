import type { Catalogue } from '@vedette/lql/catalogue/catalogue';
import { Type } from 'typebox';
import { empty } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { SharedBody } from '../../http/shared-body.ts';
import { Refusal } from '../../platform/errors.ts';
import { suggestion } from '../../platform/nearest.ts';
import { quoted } from '../../platform/quoted.ts';
import { listingOf } from './listing.ts';
import { DatasourceRecord, datasourceName, recordOf } from './record.ts';

const family = {
  name: 'Datasources',
  description: 'Tables that LQL queries can read, with their columns and relationships.',
  record: DatasourceRecord,
};

const listDatasources = defineRoute({
  method: 'GET',
  path: '/api/v2/Datasources',
  family,
  summary: 'List the datasources',
  access: 'read',
  isCatalogue: true,
  replies: {
    200: Type.Object({ data: Type.Array(DatasourceRecord, { description: 'All datasources.' }) }),
    304: empty('Not modified: the ETag is in If-None-Match.'),
  },
});

const getDatasource = defineRoute({
  method: 'GET',
  path: '/api/v2/Datasources/{datasource}',
  family,
  summary: 'Get the columns and relationships of a datasource',
  access: 'read',
  isCatalogue: true,
  params: Type.Object({ datasource: datasourceName }),
  replies: { 200: Type.Object({ data: DatasourceRecord }) },
  refuses: ['NOT_FOUND'],
});

export const datasourceRoutes = ({ catalogue }: { catalogue: Catalogue }) => {
  let chunks: readonly Buffer[] | undefined;
  const listing = new SharedBody(async () => {
    chunks ??= listingOf(catalogue);
    return Buffer.concat(chunks);
  }, 'private, no-cache');
  return [
    listDatasources.handle(async () => ({ status: 200, body: listing })),
    getDatasource.handle(async ({ params: { datasource: name } }) => {
      const datasource = catalogue.find(name);
      if (datasource) return { status: 200, body: { data: recordOf(datasource) } };
      const hint = suggestion(name, catalogue.names(), 'GET /api/v2/Datasources lists all datasources.');
      throw new Refusal('NOT_FOUND', `Not found: datasource ${quoted(name)}. ${hint}`);
    }),
  ];
};

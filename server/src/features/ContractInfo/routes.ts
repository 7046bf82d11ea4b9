import { Type } from 'typebox';
import type { ControlStore } from '../../control/store.ts';
import { defineRoute } from '../../http/route.ts';
import { formatInstant } from '../../platform/instant.ts';

const record = Type.Object({
  objName: Type.String({ maxLength: 100, description: 'What the entry is about.' }),
  props: Type.Object(
    {
      contractStartUtc: Type.String({
        maxLength: 30,
        description: 'When the account or the organization was made.',
      }),
      dataRetentionInDay: Type.Integer({ description: 'Days that reported data is kept.' }),
    },
    {
      description:
        'The terms. Self-hosted software is not bought, so nothing is said of purchase or renewal.',
    },
  ),
});

const family = { name: 'ContractInfo', description: 'The terms under which the service runs.', record };

const getContractInfo = defineRoute({
  method: 'GET',
  path: '/api/v2/ContractInfo',
  family,
  summary: 'Show since when the account exists and how long data is kept',
  access: 'read',
  org: true,
  replies: { 200: Type.Object({ data: Type.Array(record, { description: 'One element.' }) }) },
});

export const contractInfoRoutes = ({
  store,
  retentionDays,
}: {
  store: ControlStore;
  retentionDays: number;
}) => [
  getContractInfo.handle(async ({ scope }) => {
    const { created_at } = await store.read
      .selectFrom(scope.isOrganization ? 'organizations' : 'accounts')
      .select('created_at')
      .where('id', '=', scope.ownerId)
      .executeTakeFirstOrThrow();
    const props = { contractStartUtc: formatInstant(created_at), dataRetentionInDay: retentionDays };
    return { status: 200, body: { data: [{ objName: `Vedette ${scope.name}`, props }] } };
  }),
];

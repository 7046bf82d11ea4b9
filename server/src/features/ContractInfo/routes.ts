import { Type } from 'typebox';
import type { ControlStore } from '../../control/store.ts';
import { defineRoute } from '../../http/route.ts';
import { formatInstant } from '../../platform/instant.ts';

const record = Type.Object({
  objName: Type.String({ maxLength: 100, description: 'Name of the contract.' }),
  props: Type.Object(
    {
      contractStartUtc: Type.String({
        maxLength: 30,
        description: 'Time at which the account or organization was created.',
      }),
      dataRetentionInDay: Type.Integer({ description: 'Retention period of telemetry, in days.' }),
    },
    {
      description:
        'Terms of the contract. Members about purchase and renewal are omitted: the software is self-hosted.',
    },
  ),
});

const family = { name: 'ContractInfo', description: 'Contract and data retention.', record };

const getContractInfo = defineRoute({
  method: 'GET',
  path: '/api/v2/ContractInfo',
  family,
  summary: 'Get the creation time of the account and the data retention',
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

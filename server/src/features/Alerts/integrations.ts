import { type Static, Type } from 'typebox';
import type { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import { IntegrationState } from '../../integrations/state.ts';
import { coded, disabledOrEnabled } from '../../platform/coded.ts';
import { formatInstant } from '../../platform/instant.ts';

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const flag = (description: string) => Type.Integer({ minimum: 0, maximum: 1, description });

/** Unlike in AlertChannels, the member names are in upper case here. */
const AlertChannel = Type.Object(
  {
    INTG_GUID: string(100, 'Identifier of the channel.'),
    NAME: string(500, 'Name of the channel.'),
    TYPE: string(100, 'Type of the channel.'),
    TYPE_NAME: string(100, 'Type of the channel, as in TYPE.'),
    ENV_GUID: string(100, 'Account or organization that owns the channel.'),
    CREATED_OR_UPDATED_TIME: string(30, 'Time of the last change.'),
    CREATED_OR_UPDATED_BY: string(320, 'User who made the last change.'),
    ENABLED: coded(disabledOrEnabled, 'Whether the channel is enabled:'),
    IS_ORG: flag('1 if the channel belongs to the organization.'),
    STATE: IntegrationState,
    DATA: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description: 'Always empty: the settings are in AlertChannels.',
    }),
  },
  { description: 'The alert channel.' },
);

export const AlertIntegration = Type.Object(
  {
    alertIntegrationId: string(100, 'Identifier of the delivery, as in the message.'),
    alertId: Type.Integer({ description: 'Identifier of the alert.' }),
    integrationType: string(100, 'Type of the channel in upper case, such as WEBHOOK.'),
    intgGuid: string(100, 'Identifier of the channel.'),
    lastSyncTime: string(30, 'Time of the delivery, or of the last attempt.'),
    status: string(20, 'Success, Pending or Failed.'),
    alertIntegrationStatus: string(10_000, 'Readable status: the number of attempts, and the last error.'),
    isBidirectional: Type.Boolean({ description: 'Whether the receiver reports status changes back.' }),
    integrationContext: Type.Object(
      {
        id: string(1_000, 'Identifier in the receiving system.'),
        link: string(5_000, 'URL in the receiving system.'),
      },
      { description: 'The object that the receiving system created, such as a ticket.' },
    ),
    alertChannel: Type.Optional(AlertChannel),
  },
  { description: 'A delivery of the alert to a channel.' },
);
export type AlertIntegration = Static<typeof AlertIntegration>;

type Delivery = Tables['deliveries'];

/** The deliveries of an alert. Of a channel that was deleted since, only the id is known. */
export async function integrationsOf(
  db: ControlStore['read'],
  ownerId: string,
  alertId: number,
): Promise<AlertIntegration[]> {
  const deliveries = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('alert_id', '=', alertId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  if (deliveries.length === 0) return [];
  const ids = [...new Set(deliveries.map(({ channel_id }) => channel_id))];
  const channels = await db.selectFrom('integrations').selectAll().where('id', 'in', ids).execute();
  const channelsById = new Map(channels.map((channel) => [channel.id, channel]));
  return deliveries.map((delivery) => deliveryRecord(delivery, channelsById.get(delivery.channel_id)));
}

const statuses: Record<Delivery['state'], string> = {
  waiting: 'Pending',
  delivered: 'Success',
  dead: 'Failed',
};

function deliveryRecord(delivery: Delivery, channel: Tables['integrations'] | undefined): AlertIntegration {
  const external = JSON.parse(delivery.external ?? '{}') as { id?: string; link?: string };
  const tries = `${delivery.attempts} ${delivery.attempts === 1 ? 'attempt' : 'attempts'}`;
  return {
    alertIntegrationId: delivery.id,
    alertId: delivery.alert_id,
    integrationType: (channel?.type ?? '').toUpperCase(),
    intgGuid: delivery.channel_id,
    lastSyncTime: formatInstant(delivery.updated_at),
    status: statuses[delivery.state],
    alertIntegrationStatus:
      delivery.problem === null ? tries : `${tries}: ${delivery.problem}`.slice(0, 10_000),
    isBidirectional: false,
    integrationContext: { id: external.id ?? '', link: external.link ?? '' },
    ...(channel && { alertChannel: channelRecord(channel) }),
  };
}

function channelRecord(channel: Tables['integrations']): Static<typeof AlertChannel> {
  const state = JSON.parse(channel.state ?? '{}') as Partial<IntegrationState>;
  return {
    INTG_GUID: channel.id,
    NAME: channel.name,
    TYPE: channel.type,
    TYPE_NAME: channel.type,
    ENV_GUID: channel.owner_id,
    CREATED_OR_UPDATED_TIME: formatInstant(channel.updated_at),
    CREATED_OR_UPDATED_BY: channel.updated_by,
    ENABLED: channel.enabled,
    IS_ORG: channel.is_org,
    STATE: {
      ok: state.ok ?? false,
      lastUpdatedTime: state.lastUpdatedTime ?? 0,
      lastSuccessfulTime: state.lastSuccessfulTime ?? 0,
      details: state.details ?? {},
    },
    DATA: {},
  };
}

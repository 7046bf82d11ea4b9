import { type Static, Type } from 'typebox';
import type { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import { IntegrationState } from '../../integrations/state.ts';
import { coded, disabledOrEnabled } from '../../platform/coded.ts';
import { formatInstant } from '../../platform/instant.ts';

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const flag = (description: string) => Type.Integer({ minimum: 0, maximum: 1, description });

/** Names in capitals here, other than where channels are managed. */
const AlertChannel = Type.Object(
  {
    INTG_GUID: text(100, 'Identifier of the channel.'),
    NAME: text(500, 'Name of the channel.'),
    TYPE: text(100, 'Type of the channel.'),
    TYPE_NAME: text(100, 'The same.'),
    ENV_GUID: text(100, 'The account or organization that it belongs to.'),
    CREATED_OR_UPDATED_TIME: text(30, 'When it was last changed.'),
    CREATED_OR_UPDATED_BY: text(320, 'Who changed it last.'),
    ENABLED: coded(disabledOrEnabled, 'Whether it is enabled:'),
    IS_ORG: flag('1: belongs to the organization.'),
    STATE: IntegrationState,
    DATA: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description: 'Always empty: its settings are shown where channels are managed.',
    }),
  },
  { description: 'The alert channel.' },
);

export const AlertIntegration = Type.Object(
  {
    alertIntegrationId: text(100, 'Identifier of the delivery, as the message has it.'),
    alertId: Type.Integer({ description: 'The alert.' }),
    integrationType: text(100, 'Type of the channel in capitals, such as WEBHOOK.'),
    intgGuid: text(100, 'Identifier of the channel.'),
    lastSyncTime: text(30, 'When it was last tried, or delivered.'),
    status: text(20, 'Success, Pending or Failed.'),
    alertIntegrationStatus: text(10_000, 'The same for people: why it failed, or how often it was tried.'),
    isBidirectional: Type.Boolean({ description: 'Whether the other side reports back.' }),
    integrationContext: Type.Object(
      {
        id: text(1_000, 'What the other side calls it.'),
        link: text(5_000, 'Where people find it there.'),
      },
      { description: 'What became of it on the other side.' },
    ),
    alertChannel: Type.Optional(AlertChannel),
  },
  { description: 'Where an alert went.' },
);
export type AlertIntegration = Static<typeof AlertIntegration>;

type Delivery = Tables['deliveries'];

/** Where an alert went and what became of it. A channel that was deleted since is known by its id only. */
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
  const known = new Map(channels.map((channel) => [channel.id, channel]));
  return deliveries.map((delivery) => shownDelivery(delivery, known.get(delivery.channel_id)));
}

const statuses: Record<Delivery['state'], string> = {
  waiting: 'Pending',
  delivered: 'Success',
  dead: 'Failed',
};

function shownDelivery(delivery: Delivery, channel: Tables['integrations'] | undefined): AlertIntegration {
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
    ...(channel && { alertChannel: shownChannel(channel) }),
  };
}

function shownChannel(channel: Tables['integrations']): Static<typeof AlertChannel> {
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

import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Clock } from '../platform/clock.ts';
import { newSortableId } from '../platform/ids.ts';
import type { AlertMessage, Occasion } from './alert-message.ts';
import { addDelivery, announce, dropAnnouncements } from './announcement.ts';
import type { Entity, Violation } from './finding.ts';
import { matchingRules, type OwnedRule, type Owners } from './matching-rules.ts';
import { closingOf, messageOf } from './message-of.ts';
import { addEntry } from './timeline.ts';

type Alert = Tables['alerts'];
type Channel = Pick<Tables['integrations'], 'id' | 'owner_id' | 'type' | 'name' | 'data'>;

/** Selects the channels of alerts. Messages are enqueued in the transaction that stores the alert. */
export interface Router {
  /**
   * Enqueues a stored alert for the channels of the rules that match the violations. When violations join, it enqueues
   * the alert for additional channels and announces the joined entities to the others; an empty array announces
   * violations that are only counted.
   */
  route(
    tx: ControlTransaction,
    alert: Alert,
    violations: readonly Violation[],
    joined?: readonly Entity[],
  ): Promise<void>;
  /** Enqueues the closing message for channels that received the alert and follow its status. */
  closed(tx: ControlTransaction, alert: Alert): Promise<void>;
}

export interface RoutingDeps {
  readonly clock: Clock;
  /** Public address of the service. */
  readonly address: () => string;
  /** Milliseconds for which joined entities are collected into one message per channel. */
  readonly announcementWindow: number;
  /** Whether the channel receives closing messages. */
  readonly follows: (channel: Channel) => Promise<boolean>;
}

const maxNames = 20;
/** Databases limit the number of parameters in a statement. */
const batchSize = 500;

export class Routing implements Router {
  readonly #deps: RoutingDeps;

  constructor(deps: RoutingDeps) {
    this.#deps = deps;
  }

  async route(
    tx: ControlTransaction,
    alert: Alert,
    violations: readonly Violation[],
    joined?: readonly Entity[],
  ): Promise<void> {
    const owners = await ownersOf(tx, alert.owner_id);
    const rules = await matchingRules(tx, alert, owners, violations);
    const channels = await channelsOf(tx, rules);
    const sent = await openingDeliveries(tx, alert)
      .select(['id', 'channel_id', 'state', 'attempts'])
      .execute();
    const before = new Set(sent.map(({ channel_id }) => channel_id));
    const newChannels = channels.filter(({ id }) => !before.has(id));
    const { account } = owners;
    const link = `${this.#deps.address()}/api/v2/Alerts/${alert.id}?scope=Details`;
    if (joined) {
      const { announcementWindow: window, clock } = this.#deps;
      const notified = sent.filter(({ channel_id }) => channels.some(({ id }) => id === channel_id));
      const joinedEntities = { alert, joined, account, link, window, now: clock.now() };
      for (const opening of notified) await announce(tx, opening, joinedEntities);
    }
    if (newChannels.length > 0) {
      const message = messageOf(alert, { deliveryId: '', account, link });
      const messageFor = (deliveryId: string) => ({ ...message, deliveryId });
      for (const { id } of newChannels) await this.#enqueue(tx, alert, id, 'opened', messageFor);
      const key = { owner_id: alert.owner_id, id: alert.id };
      await tx
        .updateTable('alerts')
        .set({ is_routed: 1 })
        .where((is) => is.and(key))
        .execute();
      await this.#addRoutingEntry(
        tx,
        alert,
        `Goes to ${channelList(newChannels)} by ${ruleList(rules)}.`,
        newChannels,
        rules,
      );
    } else if (before.size === 0 && !(await hasRoutingEntry(tx, alert))) {
      const message =
        rules.length === 0
          ? 'No alert rule matches, so nothing is sent.'
          : `Nothing is sent: the channels of ${ruleList(rules)} are disabled or deleted.`;
      await this.#addRoutingEntry(tx, alert, message, [], rules);
    }
  }

  async closed(tx: ControlTransaction, alert: Alert): Promise<void> {
    await dropAnnouncements(tx, alert, this.#deps.clock.now());
    const opened = await openingDeliveries(tx, alert)
      .select(['channel_id', 'message'])
      .where('state', '!=', 'dead')
      .execute();
    const ids = opened.map(({ channel_id }) => channel_id);
    const { ids: owners } = await ownersOf(tx, alert.owner_id);
    const enabled = await enabledChannels(tx, owners, ids);
    for (const { channel_id, message } of opened) {
      const channel = enabled.find(({ id }) => id === channel_id);
      if (!channel || !(await this.#deps.follows(channel))) continue;
      const earlier = JSON.parse(message) as AlertMessage;
      await this.#enqueue(tx, alert, channel_id, 'closed', (id) => closingOf(earlier, alert, id));
    }
  }

  async #enqueue(
    tx: ControlTransaction,
    alert: Alert,
    channelId: string,
    occasion: Occasion,
    telling: (deliveryId: string) => AlertMessage,
  ): Promise<void> {
    const now = this.#deps.clock.now();
    const id = newSortableId(now);
    const message = telling(id);
    await addDelivery(tx, alert, { id, channelId, occasion, message, now, dueAt: now, windowStart: 0 });
  }

  #addRoutingEntry(
    tx: ControlTransaction,
    { owner_id: ownerId, id: alertId }: Alert,
    message: string,
    channels: readonly Channel[],
    rules: readonly OwnedRule[],
  ) {
    const context = {
      channels: channels.slice(0, maxNames).map(({ id }) => id),
      rules: rules.slice(0, maxNames).map(({ id }) => id),
    };
    const at = this.#deps.clock.now();
    return addEntry(tx, { ownerId, alertId, type: 'Routing', message, at, context });
  }
}

async function ownersOf(tx: ControlTransaction, ownerId: string): Promise<Owners> {
  const account = await tx
    .selectFrom('accounts')
    .select(['name', 'organization_id'])
    .where('id', '=', ownerId)
    .executeTakeFirst();
  return { account: account?.name ?? '', ids: account ? [ownerId, account.organization_id] : [ownerId] };
}

/** The distinct enabled channels of the rules; a rule reaches only channels of its own owner. */
async function channelsOf(tx: ControlTransaction, rules: readonly OwnedRule[]): Promise<Channel[]> {
  const owners = [...new Set(rules.map(({ ownerId }) => ownerId))];
  const wanted = new Map(
    rules.flatMap(({ ownerId, intgGuidList }) => intgGuidList.map((id) => [id, ownerId] as const)),
  );
  const channels = await enabledChannels(tx, owners, [...wanted.keys()]);
  return channels.filter(({ id, owner_id }) => wanted.get(id) === owner_id);
}

async function enabledChannels(
  tx: ControlTransaction,
  owners: readonly string[],
  ids: readonly string[],
): Promise<Channel[]> {
  const channels: Channel[] = [];
  for (let from = 0; from < ids.length; from += batchSize) {
    const some = tx
      .selectFrom('integrations')
      .select(['id', 'owner_id', 'type', 'name', 'data'])
      .where('id', 'in', ids.slice(from, from + batchSize))
      .where('owner_id', 'in', owners)
      .where('family', '=', 'AlertChannels')
      .where('enabled', '=', 1)
      .orderBy('id');
    channels.push(...(await some.execute()));
  }
  return channels;
}

/** The deliveries of the opening message. */
function openingDeliveries(tx: ControlTransaction, { owner_id, id }: Alert) {
  return tx
    .selectFrom('deliveries')
    .where('owner_id', '=', owner_id)
    .where('alert_id', '=', id)
    .where('occasion', '=', 'opened');
}

async function hasRoutingEntry(tx: ControlTransaction, { owner_id, id }: Alert): Promise<boolean> {
  const entry = await tx
    .selectFrom('alert_entries')
    .select('id')
    .where('owner_id', '=', owner_id)
    .where('alert_id', '=', id)
    .where('entry_type', '=', 'Routing')
    .executeTakeFirst();
  return entry !== undefined;
}

function channelList(channels: readonly Channel[]): string {
  return joinNames(channels.map(({ type, name }) => `${type} '${name}'`));
}

function ruleList(rules: readonly OwnedRule[]): string {
  const names = rules.map(({ filters }) => `'${filters.name}'`);
  return `${names.length === 1 ? 'rule' : 'rules'} ${joinNames(names)}`;
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}

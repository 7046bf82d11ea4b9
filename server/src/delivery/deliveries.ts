import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import { heldSince, lift } from './hold.ts';
import type { DeliveryRow } from './queue.ts';

export type DeliveryState = DeliveryRow['state'];

export interface Delivery extends Pick<DeliveryRow, 'id' | 'occasion' | 'attempts' | 'problem'> {
  /** Waiting messages are shown as held while deliveries are held. */
  readonly state: DeliveryState | 'held';
  /** Account name; empty if it was deleted. */
  readonly account: string;
  readonly alertId: number;
  readonly channelId: string;
  /** Type and name of the channel; empty if it was deleted. */
  readonly channel: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly dueAt: number;
}

export interface DeliveryCounts {
  readonly waiting: number;
  /** Messages held until an operator releases them. */
  readonly held: number;
  readonly delivered: number;
  readonly dead: number;
  /** Age of the oldest waiting message in seconds. */
  readonly oldest: number;
}

export const maxListed = 1_000;

/** Lists and resends messages for operators. */
export class Deliveries {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The newest messages in the given states. */
  async list(states: readonly DeliveryState[]): Promise<Delivery[]> {
    const rows = await this.#store.read
      .selectFrom('deliveries')
      .leftJoin('accounts', 'accounts.id', 'deliveries.owner_id')
      .leftJoin('integrations', 'integrations.id', 'deliveries.channel_id')
      .selectAll('deliveries')
      .select(['accounts.name as account', 'integrations.type as type', 'integrations.name as channel'])
      .where('deliveries.state', 'in', states)
      .orderBy('deliveries.created_at', 'desc')
      .orderBy('deliveries.id', 'desc')
      .limit(maxListed)
      .execute();
    const isHeld = (await this.heldSince()) !== undefined;
    return rows.map(({ id, state, occasion, attempts, problem, ...row }) => ({
      ...{ id, occasion, attempts, problem },
      state: isHeld && state === 'waiting' ? 'held' : state,
      account: row.account ?? '',
      alertId: row.alert_id,
      channelId: row.channel_id,
      channel: row.type === null ? '' : `${row.type} '${row.channel}'`,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      dueAt: row.due_at,
    }));
  }

  /** Restarts dead letters, or the given message unless it was delivered, with a new lifetime. */
  resend(actor: Actor, which: { readonly id: string } | 'all dead'): Promise<number> {
    const now = this.#clock.now();
    return this.#store.transaction(actor, async (tx, act) => {
      const changed = await tx
        .updateTable('deliveries')
        .set({ state: 'waiting', attempts: 0, due_at: now, created_at: now, updated_at: now })
        .where((is) =>
          which === 'all dead'
            ? is('state', '=', 'dead')
            : is.and([is('id', '=', which.id), is('state', '!=', 'delivered')]),
        )
        .returning(['id', 'channel_id'])
        .execute();
      if (which !== 'all dead' && changed.length === 0)
        throw new Refusal(
          'NOT_FOUND',
          `Not found: waiting message or dead letter ${quoted(which.id)}. \`vedette deliveries\` lists them.`,
        );
      // Resending implies that the channels work again, so their circuits are closed.
      const channels = [...new Set(changed.map(({ channel_id }) => channel_id))];
      for (const channel of channels)
        await tx.deleteFrom('channel_circuits').where('channel_id', '=', channel).execute();
      act.describe(which === 'all dead' ? `${changed.length} dead messages` : `message ${which.id}`);
      return changed.length;
    });
  }

  /** Since when deliveries are held; undefined if they are not. */
  heldSince(): Promise<number | undefined> {
    return heldSince(this.#store.read);
  }

  /** Releases held messages, each with a new lifetime; undefined if none were held. */
  async release(actor: Actor): Promise<number | undefined> {
    if ((await this.heldSince()) === undefined) return undefined;
    const now = this.#clock.now();
    return this.#store.transaction(actor, async (tx, act) => {
      await lift(tx);
      const { numUpdatedRows } = await tx
        .updateTable('deliveries')
        .set({ created_at: now })
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      act.describe(`${numUpdatedRows} messages`);
      return Number(numUpdatedRows);
    });
  }

  async counts(): Promise<DeliveryCounts> {
    const { read } = this.#store;
    const rows = await read
      .selectFrom('deliveries')
      .select('state')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .groupBy('state')
      .execute();
    const first = await read
      .selectFrom('deliveries')
      .select(({ fn }) => fn.min('created_at').as('at'))
      .where('state', '=', 'waiting')
      // Messages still collecting entities are not late.
      .where(({ or, eb }) => or([eb('attempts', '>', 0), eb('due_at', '<=', this.#clock.now())]))
      .executeTakeFirst();
    const count = (state: DeliveryState) => Number(rows.find((row) => row.state === state)?.count ?? 0);
    const isHeld = (await this.heldSince()) !== undefined;
    const waiting = count('waiting');
    return {
      ...(isHeld ? { waiting: 0, held: waiting } : { waiting, held: 0 }),
      ...{ delivered: count('delivered'), dead: count('dead') },
      oldest: first?.at ? Math.max(this.#clock.now() - first.at, 0) / 1_000 : 0,
    };
  }
}

import type { Actor } from '../../control/actor.ts';
import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { heldSince } from '../hold.ts';
import type { ExportRow } from './export-queue.ts';
import { hourLength } from './layout.ts';

/** A finished hour of a dataset that is not exported. */
export interface MissingExport extends Pick<ExportRow, 'dataset' | 'hour' | 'state' | 'attempts'> {
  /** Account name. */
  readonly account: string;
  readonly channelId: string;
  readonly channel: string;
  readonly problem: string;
  readonly dueAt: number;
}

export interface ExportCounts {
  readonly waiting: number;
  readonly written: number;
  readonly dead: number;
}

const maxListed = 1_000;

/** Lists and retries exports for operators. */
export class Exports {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Oldest first. */
  async missing(): Promise<MissingExport[]> {
    const rows = await this.#store.read
      .selectFrom('exports')
      .innerJoin('accounts', 'accounts.id', 'exports.owner_id')
      .leftJoin('integrations', 'integrations.id', 'exports.channel_id')
      .selectAll('exports')
      .select(['accounts.name as account', 'integrations.name as channel'])
      .where('exports.state', '!=', 'written')
      .where('exports.hour', '<=', this.#clock.now() - hourLength)
      .orderBy('exports.hour')
      .orderBy('accounts.name')
      .orderBy('exports.dataset')
      .limit(maxListed)
      .execute();
    return rows.map(({ dataset, hour, state, attempts, ...row }) => ({
      ...{ dataset, hour, state, attempts, account: row.account },
      channelId: row.channel_id,
      channel: row.channel ?? '',
      problem: row.problem ?? '',
      dueAt: row.due_at,
    }));
  }

  /** Since when deliveries are held; undefined if they are not. */
  heldSince(): Promise<number | undefined> {
    return heldSince(this.#store.read);
  }

  /** Makes all missing exports due now. */
  retry(actor: Actor): Promise<number> {
    const now = this.#clock.now();
    return this.#store.transaction(actor, async (tx, act) => {
      const { numUpdatedRows } = await tx
        .updateTable('exports')
        .set({ state: 'waiting', due_at: now, updated_at: now })
        .where('state', '!=', 'written')
        .where('hour', '<=', now - hourLength)
        .executeTakeFirst();
      act.describe(`hours of datasets: ${numUpdatedRows}`);
      return Number(numUpdatedRows);
    });
  }

  async counts(): Promise<ExportCounts> {
    const rows = await this.#store.read
      .selectFrom('exports')
      .select('state')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('hour', '<=', this.#clock.now() - hourLength)
      .groupBy('state')
      .execute();
    const count = (state: ExportRow['state']) => Number(rows.find((row) => row.state === state)?.count ?? 0);
    return { waiting: count('waiting'), written: count('written'), dead: count('dead') };
  }
}

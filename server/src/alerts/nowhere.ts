import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Clock } from '../platform/clock.ts';
import type { Router } from './routing.ts';
import { addEntry } from './timeline.ts';

/** A router that has no rules. */
export class Nowhere implements Router {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async route(tx: ControlTransaction, { owner_id, id }: Tables['alerts']): Promise<void> {
    const said = await tx
      .selectFrom('alert_entries')
      .select('id')
      .where('owner_id', '=', owner_id)
      .where('alert_id', '=', id)
      .where('entry_type', '=', 'Routing')
      .executeTakeFirst();
    if (said) return;
    await addEntry(tx, {
      ...{ ownerId: owner_id, alertId: id, type: 'Routing', at: this.#clock.now() },
      message: 'No alert rule matches, so nothing is sent.',
    });
  }

  async closed(): Promise<void> {}
}

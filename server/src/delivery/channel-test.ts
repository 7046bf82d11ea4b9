import type { AlertMessage } from '../alerts/alert-message.ts';
import type { Actor } from '../control/actor.ts';
import { findOwned } from '../control/owned-row.ts';
import type { ControlStore } from '../control/store.ts';
import type { IntegrationSet } from '../integrations/integrations.ts';
import { Refusal } from '../platform/errors.ts';
import { FairQueue } from '../platform/fair-queue.ts';
import { newSortableId } from '../platform/ids.ts';
import { formatInstant } from '../platform/instant.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import { recordOutcome } from './channel-state.ts';

export interface ChannelTestDeps extends AttemptDeps {
  readonly store: ControlStore;
}

/** Concurrent tests of all accounts; a channel that hangs occupies a slot for half a minute. */
const limits = { noun: 'test of a channel', concurrency: 8, waiting: 32, waitingPerAccount: 8, seconds: 60 };

/** Sends a test message without an alert, immediately and without retries. */
export class ChannelTest {
  readonly #deps: ChannelTestDeps;
  readonly queue = new FairQueue(limits);

  constructor(deps: ChannelTestDeps) {
    this.#deps = deps;
  }

  async run(actor: Actor, { scope, url }: IntegrationSet, id: string): Promise<void> {
    const { store, clock } = this.#deps;
    const key = { id, owner_id: scope.ownerId, family: 'AlertChannels' };
    const channel = await findOwned(store.read, 'integrations', key);
    const startedAt = clock.now();
    const message = testMessage(scope.name, url, startedAt);
    const send = () => attempt(channel, message, undefined, this.#deps);
    const outcome = await this.queue.run(scope.ownerId, send);
    await store.transaction(actor, async (tx, act) => {
      await recordOutcome(tx, channel, outcome, { startedAt, now: clock.now() });
      const result = outcome.problem ? 'the message did not arrive' : 'the message arrived';
      act.describe(`AlertChannels ${channel.type} '${channel.name}' (${id}): ${result}`);
    });
    if (outcome.problem) throw new Refusal('CHANNEL_FAILED', outcome.problem.message);
  }
}

export function testMessage(account: string, link: string, now: number): AlertMessage {
  const instant = formatInstant(now);
  return {
    deliveryId: newSortableId(now),
    occasion: 'test',
    account,
    alertId: 0,
    alertName: 'Vedette channel test',
    alertType: 'Test',
    severity: 'Info',
    status: 'Open',
    subject: 'Vedette channel test',
    description: 'This is a test message from Vedette. No action is needed.',
    category: '',
    subCategory: '',
    source: '',
    policyId: '',
    startTime: instant,
    endTime: instant,
    violations: 0,
    entities: [],
    link,
  };
}

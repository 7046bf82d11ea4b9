import type { Occasion } from '../alerts/alert-message.ts';
import { Routing } from '../alerts/routing.ts';
import { ControlStore } from '../control/store.ts';
import { followsClosing } from '../delivery/channels.ts';
import { Sender, type SenderDeps } from '../delivery/sender.ts';
import { IntegrationCatalogue, loadIntegrationTypes } from '../integrations/catalogue.ts';
import { Integrations } from '../integrations/integrations.ts';
import { GuardedOutbound } from '../outbound/guarded-outbound.ts';
import type { Mail } from '../outbound/mail/mail.ts';
import { Keyring } from '../platform/keyring.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from './clock.ts';
import { createTestPlace, type TestPlace } from './database.ts';
import { addDelivery } from './deliveries.ts';
import { Receiver } from './receiver.ts';
import { transportsWith } from './transports.ts';

const scope = { ownerId: 'OWNER', name: 'local', isOrganization: false, isReadOnly: false };
const channels = new URL('../delivery/channels/', import.meta.url);

const composeNothing = () => Promise.reject(new Error('Reports are tested elsewhere.'));

/** A store with channels and deliveries, their sender and the receiver. */
export class SenderSite {
  readonly actor = { userName: 'ops@example.com', ownerId: 'OWNER', accountName: 'local', act: 'Changed' };
  readonly set = { scope, family: 'AlertChannels', url: 'http://localhost' } as const;
  readonly clock: ManualClock;
  readonly store: ControlStore;
  readonly receiver: Receiver;
  readonly integrations: Integrations;
  readonly router: Routing;
  readonly #keyring = new Keyring([Keyring.newMaterial()]);
  readonly #catalogue: IntegrationCatalogue;
  readonly #place: TestPlace;

  private constructor(
    place: TestPlace,
    clock: ManualClock,
    store: ControlStore,
    receiver: Receiver,
    catalogue: IntegrationCatalogue,
  ) {
    this.#place = place;
    this.clock = clock;
    this.store = store;
    this.receiver = receiver;
    this.#catalogue = catalogue;
    this.integrations = new Integrations({ store, keyring: this.#keyring, clock, catalogue });
    this.router = new Routing({
      ...{ clock, address: () => 'http://localhost', announcementWindow: 300_000, follows: followsClosing },
    });
  }

  static async start(): Promise<SenderSite> {
    const [place, clock] = [await createTestPlace(), new ManualClock()];
    const store = await ControlStore.open(place.controlUrl, clock);
    const catalogue = new IntegrationCatalogue(await loadIntegrationTypes(channels));
    return new SenderSite(place, clock, store, await Receiver.start(), catalogue);
  }

  async stop(): Promise<void> {
    await this.receiver.close();
    await this.store.close();
    await this.#place.remove();
  }

  newSender(mail?: Mail, compose: SenderDeps['reports']['compose'] = composeNothing): Sender {
    const { clock, store, router } = this;
    const outbound = new GuardedOutbound({ allowsPrivate: true });
    return new Sender({
      ...{ store, keyring: this.#keyring, catalogue: this.#catalogue, clock, outbound, router },
      ...{ log: createLog('silent'), transports: transportsWith(outbound, clock, mail) },
      reports: { compose },
    });
  }

  async newChannel(name = 'hook'): Promise<string> {
    const data = { webhookUrl: `${this.receiver.url}/${name}?key=canary-key` };
    const body = { name, type: 'Webhook', enabled: 1, data } as const;
    return (await this.integrations.create(this.actor, this.set, body)).intgGuid;
  }

  add(channelId: string, alertId = 1, occasion: Occasion = 'opened'): Promise<string> {
    return addDelivery(this.store, this.clock.now(), { ownerId: 'OWNER', channelId, alertId, occasion });
  }

  rows() {
    return this.store.read.selectFrom('deliveries').selectAll().orderBy('id').execute();
  }

  async row(id: string) {
    return (await this.rows()).find((one) => one.id === id);
  }

  /** Ids of the received messages, including duplicates. */
  arrivals() {
    return this.receiver.received.map(({ headers }) => headers['vedette-delivery-id']);
  }

  async drainAt(sender: Sender, milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await sender.drain();
  }
}

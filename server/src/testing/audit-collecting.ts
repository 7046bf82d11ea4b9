import { AuditCollector } from '../collect/audit/collector.ts';
import { logPool } from '../collect/audit/log-pool.ts';
import { auditSources } from '../collect/audit/sources.ts';
import { IntegrationCatalogue } from '../integrations/catalogue.ts';
import type { IntegrationType } from '../integrations/declaration.ts';
import { Integrations } from '../integrations/integrations.ts';
import type { IntegrationRecord } from '../integrations/record.ts';
import { Keyring } from '../platform/keyring.ts';
import { createLog } from '../platform/log.ts';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { bulkOutboundIn, outboundTo, publicAddress } from './outbound.ts';
import type { Receiver } from './receiver.ts';
import type { TestTelemetry } from './telemetry.ts';
import { transportsWith } from './transports.ts';

const actor = { userName: 'tester@example.com', ownerId: 'ACME', accountName: 'acme', act: 'Test' };

export interface CollectingOptions {
  readonly receiver: Receiver;
  /** Host names that lead to the receiver. */
  readonly hosts: readonly string[];
  readonly types: readonly IntegrationType[];
  readonly heartbeat?: number;
}

/** Collectors of audit logs on the real stores, in a network of one receiver. */
export class Collecting {
  readonly place: TestTelemetry;
  readonly integrations: Integrations;
  readonly logLines: string[] = [];
  collector: AuditCollector;
  readonly #options: CollectingOptions;
  readonly #keyring = new Keyring([Keyring.newMaterial()]);
  readonly #pool = logPool();
  readonly #outbound: ReturnType<typeof bulkOutboundIn>;
  readonly #scope = { ownerId: 'ACME', name: 'acme', isOrganization: false, isReadOnly: false };

  constructor(place: TestTelemetry, options: CollectingOptions) {
    this.place = place;
    this.#options = options;
    const { store, clock } = place;
    const catalogue = new IntegrationCatalogue(options.types);
    this.integrations = new Integrations({ store, keyring: this.#keyring, clock, catalogue });
    const { receiver, hosts } = options;
    const names = Object.fromEntries(hosts.map((name) => [name, publicAddress]));
    this.#outbound = bulkOutboundIn({ receiver, hosts: names });
    this.collector = this.another();
  }

  /** The collector of another node, or of the same node after a restart. */
  another(node = 'node'): AuditCollector {
    const { store, clock, telemetry } = this.place;
    const { receiver, hosts, heartbeat } = this.#options;
    const transports = transportsWith(outboundTo(receiver, hosts), clock);
    return new AuditCollector({
      ...{
        store,
        keyring: this.#keyring,
        clock,
        pool: this.#pool,
        intake: telemetry.intake,
        node,
        heartbeat,
      },
      log: createLog('info', { write: (line: string) => void this.logLines.push(line) }),
      sources: auditSources({ ...transports, outbound: this.#outbound, clock }),
    });
  }

  /** Creates an integration and lets the time pass after which it is read. */
  async integrate(type: string, data: object, organization = false): Promise<string> {
    const { intgGuid } = await this.integrations.create(actor, this.#set(organization), {
      ...{ name: type, type, enabled: 1, data: data as Record<string, unknown> },
    });
    this.place.clock.advance(5_000);
    return intgGuid;
  }

  record(id: string): Promise<IntegrationRecord> {
    return this.integrations.get(this.#set(), id);
  }

  /** What the state of the integration names as set aside. */
  async setAside(id: string): Promise<{ object: string; reason: string }[]> {
    const { state } = await this.record(id);
    return (state?.details.setAside ?? []) as { object: string; reason: string }[];
  }

  change(id: string, changes: object): Promise<IntegrationRecord> {
    return this.integrations.change(actor, this.#set(), id, changes);
  }

  /** Reads all queues until they are empty. */
  async collect(after = 0): Promise<void> {
    this.place.clock.advance(after);
    await this.collector.poll();
    await this.collector.settled();
  }

  /** The records of a dataset in order of arrival. */
  async stored(dataset: TelemetryDataset, account = 'ACME'): Promise<Record<string, unknown>[]> {
    const range = { start: 0, end: this.place.clock.now() + 86_400_000 };
    const lines: string[] = [];
    for await (const { text } of this.place.telemetry.arrivals({ account, path: dataset.path, range }))
      lines.push(...Buffer.from(text).toString().trimEnd().split('\n'));
    return lines.map((line) => JSON.parse(line));
  }

  async stop(): Promise<void> {
    this.collector.stop();
    await this.collector.settled();
    await this.#pool.close();
    await this.#outbound.close();
    await this.place.stop();
  }

  #set(isOrganization = false) {
    const scope = isOrganization ? { ...this.#scope, ownerId: 'ORG', isOrganization } : this.#scope;
    return { scope: scope as never, family: 'CloudAccounts' as const, url: 'http://localhost' };
  }
}

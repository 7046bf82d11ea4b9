import { Alerts } from '../alerts/alerts.ts';
import { Routing } from '../alerts/routing.ts';
import type { ControlStore } from '../control/store.ts';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import { CloudActivities, type CloudActivitiesDeps } from '../detection/activities/cloud-activities.ts';
import { type DetectionDeps, schedulerOf } from '../detection/evaluation/detection.ts';
import type { Scheduler } from '../detection/evaluation/scheduler.ts';
import { Pack, shippedPacks } from '../detection/packs/pack.ts';
import { Policies } from '../detection/policies/policies.ts';
import { ProfileCatalogue } from '../detection/profiles/catalogue.ts';
import { ProfileReferences } from '../detection/profiles/references.ts';
import { Queries } from '../detection/queries/queries.ts';
import { createLog } from '../platform/log.ts';
import { QueryLanguage } from '../querying/language.ts';
import { QueryRunner } from '../querying/runner.ts';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { datasets } from '../telemetry/datasets.ts';
import { TestTelemetry } from './telemetry.ts';

const account = 'ACME';
const actor = { userName: 'tester@example.com', ownerId: account, accountName: 'acme', act: 'Test' };
const scope = { ownerId: account, name: 'acme' } as never;

/** Detection on the real engine and control store, without an HTTP server, with a manual clock. */
export class TestDetection {
  readonly account = account;
  readonly actor = actor;
  readonly scope = scope;
  readonly logLines: string[] = [];
  readonly #place: TestTelemetry;
  readonly queries: Queries;
  readonly policies: Policies;
  readonly #pack: Pack;
  readonly #language: QueryLanguage;
  readonly #references: ProfileReferences;
  scheduler: Scheduler;

  private constructor(place: TestTelemetry, pack: Pack) {
    this.#place = place;
    this.#pack = pack;
    this.#language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
    this.#references = new ProfileReferences(ProfileCatalogue.load(shippedPacks()));
    const { store, clock } = place;
    this.queries = new Queries({ store, clock, pack, language: this.#language });
    this.policies = new Policies({ store, clock, pack, queries: this.queries, profiles: this.#references });
    this.scheduler = this.another();
  }

  /** With or without the built-in policies. */
  static async start({ builtIn = false }: { builtIn?: boolean } = {}): Promise<TestDetection> {
    const place = await TestTelemetry.start();
    const shipped = await Pack.load(shippedPacks());
    const none = { policies: [], queries: [], policy: () => undefined, query: () => undefined };
    const test = new TestDetection(place, builtIn ? shipped : (none as unknown as Pack));
    await place.store.housekeeping((tx) =>
      tx.insertInto('organizations').values({ id: 'ORG', name: 'acme', created_at: 0 }).execute(),
    );
    await test.newAccount(account);
    return test;
  }

  async newAccount(id: string): Promise<void> {
    const row = { id, organization_id: 'ORG', name: id.toLowerCase(), created_at: 0 };
    await this.store.housekeeping((tx) => tx.insertInto('accounts').values(row).execute());
  }

  get store(): ControlStore {
    return this.#place.store;
  }

  get clock() {
    return this.#place.clock;
  }

  get telemetry() {
    return this.#place.telemetry;
  }

  /** A scheduler of another node of the same place, or of the same node after a restart. */
  another(deps: Partial<DetectionDeps> = {}): Scheduler {
    const { store, clock, telemetry } = this.#place;
    return schedulerOf({
      ...{ store, clock, telemetry, pack: this.#pack, language: this.#language, place: 'here' },
      log: createLog('trace', { write: (line: string) => void this.logLines.push(line) }),
      runner: new QueryRunner({ telemetry, clock }),
      profiles: this.#references,
      alerts: new Alerts({
        store,
        clock,
        router: new Routing({
          ...{ clock, address: () => 'http://localhost', announcementWindow: 300_000 },
          follows: async () => false,
        }),
      }),
      timeout: 60,
      firstEvaluation: 'alerts',
      ...deps,
    });
  }

  activities(deps: Partial<CloudActivitiesDeps> = {}): CloudActivities {
    const { store, clock, telemetry } = this.#place;
    return new CloudActivities({
      ...{ store, clock, telemetry, pack: this.#pack, language: this.#language, place: 'here' },
      runner: new QueryRunner({ telemetry, clock }),
      log: createLog('trace', { write: (line: string) => void this.logLines.push(line) }),
      ...deps,
    });
  }

  /** Advances two seconds, after which stream policies may be evaluated again, and runs what is due. */
  async tick(scheduler = this.scheduler): Promise<void> {
    this.clock.advance(2_000);
    await scheduler.tick();
    await scheduler.settled();
  }

  take(dataset: TelemetryDataset, records: readonly object[]): Promise<void> {
    return this.#place.take(dataset, account, records);
  }

  /** Creates a query and a policy that uses it. */
  async policy(name: string, queryText: string, given: object = {}, ownerId = account): Promise<string> {
    await this.queries.create({ ...actor, ownerId }, { queryId: `Q_${name}`, queryText });
    const { policyId } = await this.policies.create(
      { ...actor, ownerId },
      { ownerId, name: 'acme' } as never,
      {
        ...{ policyId: name, policyType: 'Violation', queryId: `Q_${name}`, title: `Title of ${name}` },
        ...{ description: `What ${name} looks for.`, remediation: 'Mend it.', severity: 'high' },
        ...{ enabled: true, alertEnabled: true },
        ...given,
      } as never,
    );
    return policyId;
  }

  alerts() {
    return this.store.read.selectFrom('alerts').selectAll().orderBy('id').execute();
  }

  violations() {
    return this.store.read.selectFrom('violations').selectAll().orderBy('key').execute();
  }

  timeline() {
    return this.store.read.selectFrom('alert_entries').selectAll().orderBy('id').execute();
  }

  evaluations() {
    return this.store.read.selectFrom('evaluations').selectAll().orderBy('policy_id').execute();
  }

  async stop(): Promise<void> {
    await this.scheduler.stop();
    await this.#place.stop();
  }
}

import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AgentTokens } from './agents/agent-tokens.ts';
import { Alerts } from './alerts/alerts.ts';
import { alertsDataset } from './alerts/record.ts';
import { forgetAlerts } from './alerts/retention.ts';
import { Routing } from './alerts/routing.ts';
import { purgeOwner } from './control/purge.ts';
import { RateLeases } from './control/rate-leases.ts';
import { PagedSearch } from './control/scan/paged-search.ts';
import { Scanner } from './control/scan/scanner.ts';
import { openKeyring } from './control/secret-key.ts';
import { ControlStore } from './control/store.ts';
import { DatasourceCatalogue } from './datasources/catalogue.ts';
import { followsClosing } from './delivery/channels.ts';
import { Deliveries } from './delivery/deliveries.ts';
import { Exporter } from './delivery/export/exporter.ts';
import { Exports } from './delivery/export/exports.ts';
import { createMeans } from './delivery/means.ts';
import { Sender } from './delivery/sender.ts';
import { Trial } from './delivery/trial.ts';
import { CloudActivities } from './detection/activities/cloud-activities.ts';
import {
  type DeletedPolicy,
  forgetViolations,
  policyDeleted,
} from './detection/evaluation/deleted-policy.ts';
import { schedulerOf } from './detection/evaluation/detection.ts';
import { Exceptions } from './detection/exceptions/exceptions.ts';
import { SilencingExceptions } from './detection/exceptions/silencing.ts';
import { Pack, shippedPacks } from './detection/packs/pack.ts';
import { Policies } from './detection/policies/policies.ts';
import { AlertProfiles } from './detection/profiles/alert-profiles.ts';
import { ProfileCatalogue } from './detection/profiles/catalogue.ts';
import { ProfileReferences } from './detection/profiles/references.ts';
import { Queries } from './detection/queries/queries.ts';
import { agentAccessTokenRoutes } from './features/AgentAccessTokens/routes.ts';
import { alertChannelRoutes } from './features/AlertChannels/routes.ts';
import { alertProfileRoutes } from './features/AlertProfiles/routes.ts';
import { alertRuleRoutes } from './features/AlertRules/routes.ts';
import { alertRoutes } from './features/Alerts/routes.ts';
import { alertTemplateRoutes } from './features/AlertTemplates/routes.ts';
import { auditLogRoutes } from './features/AuditLogs/routes.ts';
import { accessRoutes } from './features/access/routes.ts';
import { cloudAccountRoutes } from './features/CloudAccounts/routes.ts';
import { containerRegistryRoutes } from './features/ContainerRegistries/routes.ts';
import { contractInfoRoutes } from './features/ContractInfo/routes.ts';
import { dataExportRuleRoutes } from './features/DataExportRules/routes.ts';
import { datasourceRoutes } from './features/Datasources/routes.ts';
import { datasetFamilyRoutes } from './features/datasets/routes.ts';
import { docsRoutes } from './features/docs/routes.ts';
import { dspmRoutes } from './features/dspm/routes.ts';
import { exceptionRoutes } from './features/Exceptions/routes.ts';
import { ingestRoutes } from './features/ingest/routes.ts';
import { organizationInfoRoutes } from './features/OrganizationInfo/routes.ts';
import { operationsRoutes } from './features/operations/routes.ts';
import { policyRoutes } from './features/Policies/routes.ts';
import { queryRoutes } from './features/Queries/routes.ts';
import { reportRuleRoutes } from './features/ReportRules/routes.ts';
import { resourceGroupRoutes } from './features/ResourceGroups/routes.ts';
import { schemaRoutes } from './features/schemas/routes.ts';
import { teamMemberRoutes } from './features/TeamMembers/routes.ts';
import { teamUserRoutes } from './features/TeamUsers/routes.ts';
import { telemetryRoutes } from './features/telemetry/routes.ts';
import { userGroupRoutes } from './features/UserGroups/routes.ts';
import { userProfileRoutes } from './features/UserProfile/routes.ts';
import { ResourceGroups } from './groups/resource-groups.ts';
import { Gate } from './http/gate.ts';
import { timeLimitsFor } from './http/limits.ts';
import { HttpMetrics } from './http/metrics.ts';
import { describeInterface, familiesOf } from './http/openapi.ts';
import { MemoryLimiter, SharedLimiter } from './http/rate/limiter.ts';
import type { Route } from './http/route.ts';
import { createServer } from './http/server.ts';
import { accountDeleted } from './identity/accounts.ts';
import { bootstrap, recordAddress } from './identity/bootstrap.ts';
import { Callers } from './identity/callers.ts';
import { Tokens } from './identity/tokens.ts';
import { IntegrationCatalogue, loadIntegrationTypes } from './integrations/catalogue.ts';
import { Integrations } from './integrations/integrations.ts';
import { fingerprintServerTokens, ServerTokens } from './integrations/server-tokens.ts';
import { Outbox } from './jobs/outbox.ts';
import { Periodic } from './jobs/periodic.ts';
import { furnish } from './new-owner.ts';
import { listenForOperator } from './operator/socket.ts';
import { GuardedOutbound } from './outbound/guarded-outbound.ts';
import type { Clock } from './platform/clock.ts';
import { type Configuration, controlUrlOf, keyFileOf } from './platform/configuration.ts';
import { createDataDirectory, lockDataDirectory } from './platform/data-directory.ts';
import type { Log } from './platform/log.ts';
import { placeOf } from './platform/place.ts';
import { readTlsFiles, selfMadeTls, type TlsFiles } from './platform/tls.ts';
import { version } from './platform/version.ts';
import { QueryLanguage } from './querying/language.ts';
import { QueryRunner } from './querying/runner.ts';
import { Rules } from './rules/rules.ts';
import { Team } from './team/team.ts';
import { UserGroups } from './team/user-groups.ts';
import { datasets } from './telemetry/datasets.ts';
import { Telemetry } from './telemetry/telemetry.ts';

export interface Surroundings {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Service {
  /** The address that clients use. */
  readonly url: string;
  /** The address that the process listens on; another one behind a proxy. */
  readonly localUrl: string;
  readonly routes: readonly Route[];
  /** Finishes what was accepted, then lets go of everything. */
  stop(): Promise<void>;
}

/** Builds the service from its parts; the one place where everything meets. */
export async function startService({ configuration, clock, log }: Surroundings): Promise<Service> {
  const directory = configuration.VEDETTE_DATA_DIR;
  createDataDirectory(directory);
  const lock = lockDataDirectory(directory);
  const store = await ControlStore.open(controlUrlOf(configuration), clock);
  const keyring = await openKeyring(store, directory, configuration.VEDETTE_SECRET_KEY);
  await store.housekeeping((tx) => fingerprintServerTokens(tx, keyring));
  await bootstrap(store, clock, configuration.VEDETTE_ACCOUNT, keyFileOf(configuration), furnish);

  const callers = new Callers(store, clock);
  const tokens = new Tokens(store, callers, clock);
  const scanner = new Scanner(store.url);
  const limiter =
    store.dialect === 'sqlite'
      ? new MemoryLimiter(clock)
      : new SharedLimiter(clock, new RateLeases(store, clock));
  const agentTokens = new AgentTokens(store, keyring, clock);
  const gate = new Gate(callers, agentTokens, limiter, configuration.VEDETTE_RATE_LIMIT);
  const catalogue = new IntegrationCatalogue(await loadIntegrations());
  const integrations = new Integrations({ store, keyring, clock, catalogue });
  const outbound = new GuardedOutbound({ allowsPrivate: configuration.VEDETTE_ALLOW_PRIVATE_TARGETS });
  const means = createMeans({ outbound, configuration, environment: process.env, clock });
  const sending = { store, catalogue, keyring, outbound, means, clock, log };
  const router = new Routing({ clock, address: () => url, follows: followsClosing });
  const sender = new Sender({ ...sending, router });
  const deliveries = new Deliveries(store, clock);
  const rules = new Rules({ store, clock });
  const team = new Team(store, clock);
  const telemetry = await Telemetry.open({
    directory: join(directory, 'telemetry'),
    limits: {
      memory: configuration.VEDETTE_TELEMETRY_MEMORY,
      threads: configuration.VEDETTE_TELEMETRY_THREADS ?? availableParallelism(),
    },
    diskCap: configuration.VEDETTE_DISK_CAP,
    store,
    keyring,
    clock,
    searchSeconds: configuration.VEDETTE_SEARCH_TIMEOUT,
    log,
  });
  const pack = await Pack.load(shippedPacks());
  const datasources = new DatasourceCatalogue({ datasets, packs: shippedPacks() });
  const predefined = ProfileCatalogue.load(shippedPacks());
  const profiles = new AlertProfiles(store, predefined);
  const language = new QueryLanguage(datasources);
  const runner = new QueryRunner({ telemetry, clock });
  const ownRunner = new QueryRunner({ telemetry, clock, lane: 'service' });
  const queries = new Queries({ store, clock, pack, language });
  const references = new ProfileReferences(predefined);
  const policies = new Policies({ store, clock, pack, queries, profiles: references });
  const exceptions = new Exceptions({ store, clock, policies });
  const alerts = new Alerts({ store, clock, router });
  const place = placeOf(directory, store.dialect === 'postgres');
  const exporter = new Exporter({
    ...{ store, telemetry, s3: means.s3, clock, log, datasets: datasets.map(({ path }) => path) },
    place,
    node: placeOf(directory, true),
  });
  const scheduler = schedulerOf({
    ...{
      store,
      clock,
      log,
      telemetry,
      language,
      runner: ownRunner,
      pack,
      profiles: references,
      alerts,
      place,
    },
    timeout: configuration.VEDETTE_EVALUATION_TIMEOUT,
    told: () => sender.wake(),
  });
  const activities = new CloudActivities({
    store,
    clock,
    telemetry,
    language,
    runner: ownRunner,
    pack,
    place,
  });
  const metrics = new HttpMetrics();
  let url = configuration.VEDETTE_PUBLIC_URL?.origin ?? '';
  let stopping = false;

  const routes: Route[] = [];
  const declarations = () => routes.map(({ declaration }) => declaration);
  routes.push(
    ...accessRoutes({ tokens }),
    ...agentAccessTokenRoutes({ agentTokens }),
    ...alertChannelRoutes({ integrations, catalogue, trial: new Trial(sending) }),
    ...alertProfileRoutes({ profiles }),
    ...alertRuleRoutes({ rules }),
    ...alertRoutes({
      ...{ alerts, store, clock, policies, telemetry },
      search: new PagedSearch({ store, keyring, clock, scanner, dataset: alertsDataset }),
      silencing: new SilencingExceptions({ policies, exceptions, clock }),
    }),
    ...alertTemplateRoutes({ profiles }),
    ...auditLogRoutes({ scanner, clock }),
    ...cloudAccountRoutes({ integrations, catalogue }),
    ...containerRegistryRoutes({ integrations, catalogue }),
    ...contractInfoRoutes({ store, retentionDays: configuration.VEDETTE_RETENTION_DAYS }),
    ...dataExportRuleRoutes({ rules }),
    ...datasourceRoutes({ catalogue: datasources }),
    ...docsRoutes({ describe: () => describeInterface(declarations(), version) }),
    ...dspmRoutes({ serverTokens: new ServerTokens(store, catalogue, clock) }),
    ...datasetFamilyRoutes({ telemetry, clock }),
    ...exceptionRoutes({ exceptions }),
    ...ingestRoutes({ intake: telemetry.intake }),
    ...operationsRoutes({
      ...{ store, metrics, telemetry, deliveries, scheduler },
      exports: new Exports(store, clock),
      isStopping: () => stopping,
    }),
    ...organizationInfoRoutes(),
    ...policyRoutes({ policies, scanner }),
    ...queryRoutes({ queries, language, runner, scanner, clock }),
    ...reportRuleRoutes({ rules }),
    ...resourceGroupRoutes({ groups: new ResourceGroups(store, clock) }),
    ...schemaRoutes({ families: () => familiesOf(declarations()) }),
    ...teamMemberRoutes({ team }),
    ...teamUserRoutes({ team }),
    ...telemetryRoutes(),
    ...userGroupRoutes({ groups: new UserGroups(store) }),
    ...userProfileRoutes(),
  );

  const outbox = new Outbox(store, clock, log, {
    [accountDeleted]: async ({ accountId }: { accountId: string }) => {
      await purgeOwner(store, accountId);
      await telemetry.forgetAccount(accountId);
    },
    [policyDeleted]: (deleted: DeletedPolicy) => forgetViolations(store, deleted),
  });
  const retainedSince = () => clock.now() - configuration.VEDETTE_RETENTION_DAYS * 86_400_000;
  const periodic = [
    new Periodic('outbox', 1_000, () => outbox.drain(), log),
    new Periodic('deliveries', 500, () => sender.look(), log),
    new Periodic('deliveries on their way', 2_000, () => sender.keep(), log),
    new Periodic('dead deliveries', 60_000, () => sender.bury(), log),
    new Periodic('strayed deliveries', 60_000, () => sender.tidy(), log),
    new Periodic('exports', 2_000, () => exporter.run(), log),
    new Periodic('forgotten exports', 3_600_000, () => exporter.forget(retainedSince()), log),
    new Periodic('old alerts', 3_600_000, () => forgetAlerts(store, retainedSince()), log),
    new Periodic('evaluations', 1_000, () => scheduler.tick(), log),
    new Periodic('arrivals', 200, () => scheduler.look(), log),
    new Periodic('cloud activities', 60_000, () => activities.tick(), log),
    new Periodic('expired tokens', 3_600_000, () => tokens.forgetExpired(), log),
    new Periodic(
      'old telemetry',
      3_600_000,
      async () => {
        await telemetry.forgetBefore(retainedSince());
        await telemetry.keepWithinCap();
        await telemetry.tidy();
      },
      log,
    ),
    new Periodic('saved searches', 3_600_000, () => telemetry.forgetExpired(), log),
    new Periodic('idle rate buckets', 600_000, () => limiter.forgetIdle(), log),
  ];

  const tls = await tlsFor(configuration, clock);
  const app = createServer({
    routes,
    gate,
    log,
    metrics,
    publicUrl: configuration.VEDETTE_PUBLIC_URL,
    trustedProxies: configuration.VEDETTE_TRUSTED_PROXIES,
    tls,
    timeLimits: timeLimitsFor(configuration.VEDETTE_SEARCH_TIMEOUT),
  });
  await app.listen({ host: configuration.VEDETTE_HOST, port: configuration.VEDETTE_PORT });
  const isConfigured = configuration.VEDETTE_SECRET_KEY !== undefined;
  const operator = await listenForOperator({
    store,
    telemetry,
    keyring,
    language,
    runner,
    deliveries,
    wakeSender: () => sender.wake(),
    scheduler,
    dataDirectory: directory,
    isConfigured,
    clock,
    log,
  });
  const address = app.server.address() as AddressInfo;
  const localUrl = addressOf(configuration.VEDETTE_HOST, tls !== undefined, address.port);
  url ||= localUrl;
  recordAddress(keyFileOf(configuration), url);

  const stop = async () => {
    stopping = true;
    await app.close();
    await operator.close();
    await sender.stop();
    exporter.stop();
    activities.stop();
    for (const job of periodic) await job.stop();
    await scheduler.stop();
    await scanner.close();
    await telemetry.close();
    await store.close();
    lock.release();
  };
  return { url, localUrl, routes, stop };
}

/** Each type is a folder of its own; a new one is there without being listed anywhere. */
async function loadIntegrations() {
  const folders = ['./delivery/channels/', './collect/accounts/', './collect/registries/'];
  const types = await Promise.all(
    folders.map((folder) => loadIntegrationTypes(new URL(folder, import.meta.url))),
  );
  return types.flat();
}

async function tlsFor(configuration: Configuration, clock: Clock): Promise<TlsFiles | undefined> {
  const { VEDETTE_TLS, VEDETTE_TLS_CERT, VEDETTE_TLS_KEY, VEDETTE_HOST, VEDETTE_PUBLIC_URL } = configuration;
  if (VEDETTE_TLS_CERT && VEDETTE_TLS_KEY) return readTlsFiles(VEDETTE_TLS_CERT, VEDETTE_TLS_KEY);
  if (!VEDETTE_TLS) return undefined;
  const names = [VEDETTE_HOST, VEDETTE_PUBLIC_URL?.hostname ?? ''];
  return selfMadeTls(configuration.VEDETTE_DATA_DIR, names, clock.now());
}

function addressOf(listensOn: string, secure: boolean, port: number): string {
  const everywhere = listensOn === '0.0.0.0' || listensOn === '::';
  const host = everywhere ? 'localhost' : listensOn.includes(':') ? `[${listensOn}]` : listensOn;
  return `${secure ? 'https' : 'http'}://${host}:${port}`;
}

import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AgentTokens } from './agents/agent-tokens.ts';
import { Alerts } from './alerts/alerts.ts';
import { alertsDataset } from './alerts/record.ts';
import { Routing } from './alerts/routing.ts';
import { DiskReserve } from './control/disk-reserve.ts';
import { openExamined } from './control/examined-store.ts';
import { purgeOwner } from './control/purge.ts';
import { RateLeases } from './control/rate-leases.ts';
import { PagedSearch } from './control/scan/paged-search.ts';
import { Scanner } from './control/scan/scanner.ts';
import { openKeyring } from './control/secret-key.ts';
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
import { type MetricsCollector, serviceCollectors } from './features/operations/collectors.ts';
import { queueGauges } from './features/operations/queue-gauges.ts';
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
import { AddressLimiter } from './http/rate/address-limiter.ts';
import { MemoryLimiter, SharedLimiter } from './http/rate/limiter.ts';
import type { Route } from './http/route.ts';
import { createServer } from './http/server.ts';
import { accountDeleted } from './identity/accounts.ts';
import { bootstrap, recordAddress } from './identity/bootstrap.ts';
import { Callers } from './identity/callers.ts';
import { organizationHost } from './identity/organization-host.ts';
import { SignInFailures } from './identity/sign-in-failures.ts';
import { Tokens } from './identity/tokens.ts';
import { IntegrationCatalogue, loadIntegrationTypes } from './integrations/catalogue.ts';
import { Integrations } from './integrations/integrations.ts';
import { renewOlderRows } from './integrations/older-rows.ts';
import { ServerTokens } from './integrations/server-tokens.ts';
import { Outbox } from './jobs/outbox.ts';
import { furnish } from './new-owner.ts';
import { removeScratch } from './operator/restore-scratch.ts';
import { listenForOperator } from './operator/socket.ts';
import { GuardedOutbound } from './outbound/guarded-outbound.ts';
import { periodicJobs } from './periodic-jobs.ts';
import type { Clock } from './platform/clock.ts';
import { type Configuration, controlUrlOf, keyFileOf, spillCapOf } from './platform/configuration.ts';
import { createDataDirectory, lockDataDirectory } from './platform/data-directory.ts';
import { closeToOthers } from './platform/file-modes.ts';
import type { Log } from './platform/log.ts';
import { placeOf } from './platform/place.ts';
import { readTlsFiles, selfMadeTls, type TlsFiles } from './platform/tls.ts';
import { version } from './platform/version.ts';
import { QueryLanguage } from './querying/language.ts';
import { readingPool } from './querying/reading-pool.ts';
import { QueryRunner } from './querying/runner.ts';
import { readinessChecks } from './readiness-checks.ts';
import { Rules } from './rules/rules.ts';
import { Team } from './team/team.ts';
import { UserGroups } from './team/user-groups.ts';
import { datasets } from './telemetry/datasets.ts';
import { holdsTelemetry } from './telemetry/stored-telemetry.ts';
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
  /** Since when a restore holds messages and exports; undefined when nothing is held. */
  heldSince(): Promise<number | undefined>;
  /** Finishes what was accepted, then lets go of everything. */
  stop(): Promise<void>;
}

/** Builds the service from its parts; the one place where everything meets. */
export async function startService({ configuration, clock, log }: Surroundings): Promise<Service> {
  const directory = configuration.VEDETTE_DATA_DIR;
  createDataDirectory(directory);
  const lock = lockDataDirectory(directory);
  removeScratch(directory);
  closeToOthers(directory, log);
  const reserve = DiskReserve.of(controlUrlOf(configuration), clock);
  const telemetryDirectory = join(directory, 'telemetry');
  const store = await openExamined(controlUrlOf(configuration), clock, {
    telemetry: holdsTelemetry(telemetryDirectory) ? telemetryDirectory : undefined,
    mayBeEmpty: configuration.VEDETTE_START_EMPTY,
  });
  const keyring = await openKeyring(store, directory, configuration.VEDETTE_SECRET_KEY);
  await store.housekeeping((tx) => renewOlderRows(tx, keyring));
  await bootstrap(store, clock, configuration.VEDETTE_ACCOUNT, keyFileOf(configuration), furnish);

  const callers = new Callers(store, clock);
  const tokens = new Tokens(store, callers, clock);
  const scanner = new Scanner(store, { seconds: configuration.VEDETTE_SEARCH_TIMEOUT });
  const limiter =
    store.dialect === 'sqlite'
      ? new MemoryLimiter(clock)
      : new SharedLimiter(clock, new RateLeases(store, clock));
  const agentTokens = new AgentTokens(store, keyring, clock);
  const addresses = new AddressLimiter(clock);
  const failures = new SignInFailures(store, clock, log);
  const limit = configuration.VEDETTE_RATE_LIMIT;
  const gate = new Gate({ callers, agents: agentTokens, limiter, addresses, failures, limit });
  const catalogue = new IntegrationCatalogue(await loadIntegrations());
  const integrations = new Integrations({ store, keyring, clock, catalogue });
  const outbound = new GuardedOutbound({ allowsPrivate: configuration.VEDETTE_ALLOW_PRIVATE_TARGETS });
  const means = createMeans({ outbound, configuration, environment: process.env, clock });
  const sending = { store, catalogue, keyring, outbound, means, clock, log };
  const router = new Routing({
    clock,
    address: () => url,
    announcementWindow: configuration.VEDETTE_ANNOUNCEMENT_WINDOW * 1_000,
    follows: followsClosing,
  });
  const sender = new Sender({ ...sending, router });
  const trial = new Trial(sending);
  const deliveries = new Deliveries(store, clock);
  const rules = new Rules({ store, clock });
  const telemetry = await Telemetry.open({
    directory: telemetryDirectory,
    limits: {
      memory: configuration.VEDETTE_TELEMETRY_MEMORY,
      threads: configuration.VEDETTE_TELEMETRY_THREADS ?? availableParallelism(),
      spill: spillCapOf(configuration),
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
  const readings = readingPool({
    packs: shippedPacks(),
    seconds: configuration.VEDETTE_SEARCH_TIMEOUT,
  });
  const language = new QueryLanguage(datasources, readings);
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
  await scheduler.takeOver();
  // Not before: what a start writes may take of the reserve.
  if (reserve) store.keepReserve(reserve);
  const activities = new CloudActivities({
    store,
    clock,
    log,
    telemetry,
    language,
    runner: ownRunner,
    pack,
    place,
  });
  const metrics = new HttpMetrics();
  let url = configuration.VEDETTE_PUBLIC_URL?.origin ?? '';
  let stopping = false;
  const readiness = readinessChecks({ store, telemetry, scanner, readings, isStopping: () => stopping });
  const collectors: MetricsCollector[] = [
    ...serviceCollectors({
      ...{ metrics, store, telemetry, deliveries, scheduler, failures },
      exports: new Exports(store, clock),
    }),
    () =>
      queueGauges({
        searches: { running: telemetry.searches.running, waiting: telemetry.searches.waiting },
        service_queries: telemetry.ownQueries,
        scans: { running: scanner.pool.running, waiting: scanner.pool.waiting },
        query_texts: { running: readings.running, waiting: readings.waiting },
        evaluations: scheduler.queue,
        deliveries: { running: sender.running },
        channel_tests: { running: trial.queue.running, waiting: trial.queue.waiting },
        exports: { running: exporter.running },
        cloud_activities: { running: activities.running },
        outbox: { running: outbox.running },
      }),
  ];

  const routes: Route[] = [];
  const hostOf = organizationHost(configuration.VEDETTE_PUBLIC_URL);
  const declarations = () => routes.map(({ declaration }) => declaration);
  routes.push(
    ...accessRoutes({ tokens }),
    ...agentAccessTokenRoutes({ agentTokens, scanner }),
    ...alertChannelRoutes({ integrations, catalogue, scanner, trial }),
    ...alertProfileRoutes({ profiles, scanner }),
    ...alertRuleRoutes({ rules, scanner }),
    ...alertRoutes({
      ...{ alerts, store, clock, language, runner, telemetry },
      search: new PagedSearch({ store, keyring, clock, scanner, dataset: alertsDataset }),
      silencing: new SilencingExceptions({ policies, exceptions, clock }),
    }),
    ...alertTemplateRoutes({ profiles }),
    ...auditLogRoutes({ scanner, clock }),
    ...cloudAccountRoutes({ integrations, catalogue, scanner }),
    ...containerRegistryRoutes({ integrations, catalogue, scanner }),
    ...contractInfoRoutes({ store, retentionDays: configuration.VEDETTE_RETENTION_DAYS }),
    ...dataExportRuleRoutes({ rules, scanner }),
    ...datasourceRoutes({ catalogue: datasources }),
    ...docsRoutes({ declarations, describe: () => describeInterface(declarations(), version), version }),
    ...dspmRoutes({ serverTokens: new ServerTokens(store, catalogue, clock) }),
    ...datasetFamilyRoutes({ telemetry, scanner, clock }),
    ...exceptionRoutes({ exceptions, scanner }),
    ...ingestRoutes({ intake: telemetry.intake }),
    ...operationsRoutes({ readiness, collectors }),
    ...organizationInfoRoutes({ hostOf }),
    ...policyRoutes({ policies, scanner }),
    ...queryRoutes({ queries, language, runner, scanner, clock }),
    ...reportRuleRoutes({ rules, scanner }),
    ...resourceGroupRoutes({ groups: new ResourceGroups(store, clock), scanner }),
    ...schemaRoutes({ families: () => familiesOf(declarations()) }),
    ...teamMemberRoutes({ team: new Team(store, clock, 'organization'), scanner, hostOf }),
    ...teamUserRoutes({ team: new Team(store, clock, 'account'), scanner }),
    ...telemetryRoutes(),
    ...userGroupRoutes({ groups: new UserGroups(store) }),
    ...userProfileRoutes({ hostOf }),
  );

  const outbox = new Outbox(store, clock, log, {
    [accountDeleted]: async ({ accountId }: { accountId: string }) => {
      await purgeOwner(store, accountId);
      await telemetry.forgetAccount(accountId);
    },
    [policyDeleted]: (deleted: DeletedPolicy) => forgetViolations(store, deleted),
  });
  const jobs = periodicJobs({
    ...{ store, telemetry, tokens, sender, exporter, scheduler, activities, outbox },
    ...{ addresses, limiter, failures, clock, log, retentionDays: configuration.VEDETTE_RETENTION_DAYS },
  });

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
    connectionLimits: {
      total: configuration.VEDETTE_MAX_CONNECTIONS,
      perAddress: configuration.VEDETTE_MAX_CONNECTIONS_PER_ADDRESS,
    },
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
    place,
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
    for (const job of jobs) await job.stop();
    await outbox.stop();
    await exporter.settled();
    await activities.settled();
    await failures
      .flush(true)
      .catch((error: unknown) => log.error({ error: String(error) }, 'sign-in summary failed'));
    await scheduler.stop();
    await scanner.close();
    await readings.close();
    await telemetry.close();
    await store.close();
    lock.release();
  };
  return { url, localUrl, routes, heldSince: () => deliveries.heldSince(), stop };
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

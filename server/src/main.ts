import type { AddressInfo } from 'node:net';
import { timeLimitsFor } from './http/limits.ts';
import { HttpMetrics } from './http/metrics.ts';
import type { Route } from './http/route.ts';
import { createServer } from './http/server.ts';
import { agentsModule } from './modules/agents.ts';
import { alertsModule } from './modules/alerts.ts';
import { auditModule } from './modules/audit.ts';
import { auditLogsModule } from './modules/audit-logs.ts';
import { collectorModule } from './modules/collector.ts';
import { consoleModule } from './modules/console.ts';
import { controlStoreModule } from './modules/control-store.ts';
import { dataDirectoryModule } from './modules/data-directory.ts';
import { deliveryModule } from './modules/delivery.ts';
import { detectionModule } from './modules/detection.ts';
import { exportsModule } from './modules/exports.ts';
import { gateModule } from './modules/gate.ts';
import { identityModule } from './modules/identity.ts';
import { integrationsModule } from './modules/integrations.ts';
import { inventoryModule } from './modules/inventory.ts';
import type { ModuleContext, ServiceContext } from './modules/module.ts';
import { ModuleList } from './modules/module-list.ts';
import { operationsModule } from './modules/operations.ts';
import { outboxModule } from './modules/outbox.ts';
import { policiesModule } from './modules/policies.ts';
import { queryingModule } from './modules/querying.ts';
import { recordSearchModule } from './modules/record-search.ts';
import { referenceModule } from './modules/reference.ts';
import { reportDefinitionsModule } from './modules/report-definitions.ts';
import { reportsModule } from './modules/reports.ts';
import { resourceGroupsModule } from './modules/resource-groups.ts';
import { rulesModule } from './modules/rules.ts';
import { teamModule } from './modules/team.ts';
import { telemetryModule } from './modules/telemetry.ts';
import { listenForOperator } from './operator/socket.ts';
import type { Clock } from './platform/clock.ts';
import type { Configuration } from './platform/configuration.ts';
import { readTlsFiles, selfSignedTls, type TlsFiles } from './platform/tls.ts';

export interface Service {
  /** Base URL for clients. */
  readonly url: string;
  /** URL that the process listens on; differs from `url` behind a proxy. */
  readonly localUrl: string;
  readonly routes: readonly Route[];
  /** Time of the restore that put messages and exports on hold; undefined if nothing is on hold. */
  heldSince(): Promise<number | undefined>;
  /** Whether the API key in the key file is valid. */
  acceptsKeyFile(): Promise<boolean>;
  /** Whether any user can sign in to the console without a link. */
  hasPassword(): Promise<boolean>;
  /** URL of a new sign-in link for the first administrator. */
  firstLink(): Promise<string>;
  /** Token for the agent of this host. */
  localAgentToken(): Promise<string>;
  /** Finishes accepted work, then releases all resources. */
  stop(): Promise<void>;
}

/** The composition root: adds the modules in dependency order and serves their routes. */
export async function startService({ configuration, clock, log }: ServiceContext): Promise<Service> {
  let url = configuration.VEDETTE_PUBLIC_URL?.origin ?? '';
  let isStopping = false;
  const context: ModuleContext = { configuration, clock, log, address: () => url };
  const httpMetrics = new HttpMetrics();

  const modules = new ModuleList();
  modules.add(dataDirectoryModule(context));
  const control = modules.add(await controlStoreModule(context));
  const identity = modules.add(await identityModule(context, { control }));
  const telemetry = modules.add(await telemetryModule(context, { control }));
  const search = modules.add(recordSearchModule(context, { control, telemetry }));
  modules.add(auditModule(context, { search }));
  modules.add(teamModule(context, { control, identity, search }));
  modules.add(resourceGroupsModule(context, { control, search }));
  modules.add(rulesModule(context, { control, search }));
  const agents = modules.add(agentsModule(context, { control, search }));
  const integrations = modules.add(await integrationsModule(context, { control, search }));
  const querying = modules.add(queryingModule(context, { telemetry }));
  modules.add(inventoryModule(context, { telemetry, querying, search }));
  modules.add(await collectorModule(context, { control, telemetry }));
  const policies = modules.add(await policiesModule(context, { control, search, querying }));
  const definitions = modules.add(reportDefinitionsModule(context, { control, search, policies }));
  const reports = modules.add(reportsModule(context, { control, telemetry, policies, definitions }));
  const alerts = modules.add(alertsModule(context, { control, telemetry, search, querying, policies }));
  const delivery = modules.add(deliveryModule(context, { control, search, integrations, alerts, reports }));
  const detection = modules.add(
    await detectionModule(context, { control, telemetry, querying, policies, alerts, delivery }),
  );
  modules.add(exportsModule(context, { control, telemetry, delivery }));
  modules.add(await auditLogsModule(context, { control, telemetry, delivery }));
  const { gate } = modules.add(gateModule(context, { control, identity, agents }));
  // After every module that handles outbox messages.
  modules.add(outboxModule(context, { control, modules }));
  modules.add(operationsModule({ modules, httpMetrics, isStopping: () => isStopping }));
  modules.add(referenceModule({ modules }));
  const { pages } = modules.add(consoleModule(context));
  // Last, because writes during the start may use the reserve.
  control.keepReserve();

  const { routes } = modules;
  const tls = await tlsFor(configuration, clock);
  const app = createServer({
    routes,
    gate,
    log,
    metrics: httpMetrics,
    pages,
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
  const { port } = app.server.address() as AddressInfo;
  const localUrl = addressOf(configuration.VEDETTE_HOST, tls !== undefined, port);
  url ||= localUrl;
  identity.recordAddress(url);
  const operator = await listenForOperator({
    store: control.store,
    telemetry: telemetry.telemetry,
    keyring: control.keyring,
    language: querying.language,
    runner: querying.runner,
    deliveries: delivery.deliveries,
    wakeSender: delivery.wakeSender,
    scheduler: detection.scheduler,
    createLink: identity.createLink,
    dataDirectory: configuration.VEDETTE_DATA_DIR,
    place: control.place,
    isConfigured: configuration.VEDETTE_SECRET_KEY !== undefined,
    clock,
    log,
  });
  // Once the base URL is known, because alert messages link to it.
  modules.startJobs(log);

  const stop = async () => {
    isStopping = true;
    await app.close();
    await operator.close();
    await modules.stop();
  };
  return {
    ...{ url, localUrl, routes, stop },
    heldSince: () => delivery.deliveries.heldSince(),
    acceptsKeyFile: () => identity.acceptsKeyFile(),
    hasPassword: () => identity.hasPassword(),
    firstLink: async () => (await identity.createLink('vedette')).url,
    localAgentToken: () => agents.localAgentToken(),
  };
}

async function tlsFor(configuration: Configuration, clock: Clock): Promise<TlsFiles | undefined> {
  const { VEDETTE_TLS, VEDETTE_TLS_CERT, VEDETTE_TLS_KEY, VEDETTE_HOST, VEDETTE_PUBLIC_URL } = configuration;
  if (VEDETTE_TLS_CERT && VEDETTE_TLS_KEY) return readTlsFiles(VEDETTE_TLS_CERT, VEDETTE_TLS_KEY);
  if (!VEDETTE_TLS) return undefined;
  const names = [VEDETTE_HOST, VEDETTE_PUBLIC_URL?.hostname ?? ''];
  return selfSignedTls(configuration.VEDETTE_DATA_DIR, names, clock.now());
}

function addressOf(listensOn: string, secure: boolean, port: number): string {
  const everywhere = listensOn === '0.0.0.0' || listensOn === '::';
  const host = everywhere ? 'localhost' : listensOn.includes(':') ? `[${listensOn}]` : listensOn;
  return `${secure ? 'https' : 'http'}://${host}:${port}`;
}

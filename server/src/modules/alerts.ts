import { Alerts } from '../alerts/alerts.ts';
import { alertsDataset } from '../alerts/record.ts';
import { deleteExpiredAlerts } from '../alerts/retention.ts';
import { type Router, Routing } from '../alerts/routing.ts';
import { PagedSearch } from '../control/scan/paged-search.ts';
import { followsClosing } from '../delivery/channels.ts';
import { SuppressionExceptions } from '../detection/exceptions/suppression.ts';
import { alertRoutes } from '../features/Alerts/routes.ts';
import { retainedSince } from '../platform/retention.ts';
import type { ControlStoreModule } from './control-store.ts';
import { hour, type Module, type ModuleContext } from './module.ts';
import type { PoliciesModule } from './policies.ts';
import type { QueryingModule } from './querying.ts';
import type { RecordSearchModule } from './record-search.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface AlertsModule extends Module {
  readonly alerts: Alerts;
  readonly router: Router;
}

export interface AlertsDeps {
  readonly control: ControlStoreModule;
  readonly telemetry: TelemetryModule;
  readonly search: RecordSearchModule;
  readonly querying: QueryingModule;
  readonly policies: PoliciesModule;
}

export function alertsModule(context: ModuleContext, deps: AlertsDeps): AlertsModule {
  const { configuration, clock, address } = context;
  const { store, keyring } = deps.control;
  const { telemetry } = deps.telemetry;
  const { scanner } = deps.search;
  const { language, runner } = deps.querying;
  const { policies, exceptions, profiles } = deps.policies;
  const router = new Routing({
    clock,
    address,
    announcementWindow: configuration.VEDETTE_ANNOUNCEMENT_WINDOW * 1_000,
    follows: followsClosing,
  });
  const alerts = new Alerts({ store, clock, router });
  return {
    alerts,
    router,
    routes: alertRoutes({
      ...{ alerts, store, clock, language, runner, telemetry, profiles },
      search: new PagedSearch({ store, keyring, clock, scanner, dataset: alertsDataset }),
      silencing: new SuppressionExceptions({ policies, exceptions, clock }),
    }),
    jobs: [
      {
        name: 'alert retention',
        milliseconds: hour,
        run: () => deleteExpiredAlerts(store, retainedSince(context)),
      },
    ],
  };
}

import { join } from 'node:path';
import { reportRoutes } from '../features/Reports/routes.ts';
import { retainedSince } from '../platform/retention.ts';
import { ComplianceReports } from '../reports/compliance/compliance-reports.ts';
import { DocumentFiles } from '../reports/compliance/document-files.ts';
import { ReportDocuments } from '../reports/compliance/documents.ts';
import { ReportPlanner } from '../reports/compliance/planner.ts';
import { ReportCatalogue } from '../reports/compliance/report-catalogue.ts';
import { ReportComposer } from '../reports/scheduled/composer.ts';
import { DistributionPlans } from '../reports/scheduled/distribution-plans.ts';
import { ReportSchedule } from '../reports/scheduled/report-schedule.ts';
import { RulePlans } from '../reports/scheduled/rule-plans.ts';
import type { ControlStoreModule } from './control-store.ts';
import { hour, type Module, type ModuleContext, second } from './module.ts';
import type { PoliciesModule } from './policies.ts';
import type { ReportDefinitionsModule } from './report-definitions.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface ReportsModule extends Module {
  readonly composer: ReportComposer;
}

export interface ReportsDeps {
  readonly control: ControlStoreModule;
  readonly telemetry: TelemetryModule;
  readonly policies: PoliciesModule;
  readonly definitions: ReportDefinitionsModule;
}

/** Compliance reports: what was evaluated, as documents. */
export function reportsModule(
  context: ModuleContext,
  { control, telemetry: { telemetry }, policies: { pack, policies }, definitions: defined }: ReportsDeps,
): ReportsModule {
  const { configuration, clock } = context;
  const { store } = control;
  const { frameworks, definitions } = defined;
  const planner = new ReportPlanner({ store, pack, frameworks, builtIn: policies.builtIn });
  const documents = new ReportDocuments();
  const files = new DocumentFiles(join(configuration.VEDETTE_DATA_DIR, 'reports'));
  const catalogue = new ReportCatalogue({ frameworks, definitions, planner });
  const reports = new ComplianceReports({ telemetry, documents, files, now: () => clock.now() });
  const now = () => clock.now();
  const composer = new ReportComposer({ store, telemetry, pack, now, catalogue, reports });
  const schedule = new ReportSchedule({
    ...{
      store,
      telemetry,
      clock,
      log: context.log,
      plans: [new RulePlans(store, frameworks), new DistributionPlans(store, definitions.builtIn)],
    },
    sendingHour: configuration.VEDETTE_REPORT_HOUR,
  });
  return {
    composer,
    jobs: [
      { name: 'reports', milliseconds: 5 * second, run: () => schedule.update() },
      {
        name: 'report retention',
        milliseconds: hour,
        run: () => schedule.deleteBefore(retainedSince(context)),
      },
    ],
    routes: reportRoutes({ catalogue, reports }),
    // Without reports everything else works, so the server stays in service.
    readiness: [{ name: 'report threads', check: () => documents.fault }],
    queues: { reports: () => documents.queue },
    close: () => documents.close(),
  };
}

import { join } from 'node:path';
import { shippedPacks } from '../detection/packs/pack.ts';
import { reportRoutes } from '../features/Reports/routes.ts';
import { ComplianceReports } from '../reports/compliance/compliance-reports.ts';
import { DocumentFiles } from '../reports/compliance/document-files.ts';
import { ReportDocuments } from '../reports/compliance/documents.ts';
import { ReportPlanner } from '../reports/compliance/planner.ts';
import { ReportCatalogue } from '../reports/compliance/report-catalogue.ts';
import { Frameworks } from '../reports/frameworks/frameworks.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { PoliciesModule } from './policies.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface ReportsModule extends Module {
  readonly catalogue: ReportCatalogue;
  readonly reports: ComplianceReports;
}

export interface ReportsDeps {
  readonly control: ControlStoreModule;
  readonly telemetry: TelemetryModule;
  readonly policies: PoliciesModule;
}

/** Compliance reports: what was evaluated, as documents. */
export function reportsModule(
  { configuration, clock }: ModuleContext,
  { control: { store }, telemetry: { telemetry }, policies: { pack, policies } }: ReportsDeps,
): ReportsModule {
  const frameworks = new Frameworks(shippedPacks());
  const planner = new ReportPlanner({ store, pack, frameworks, builtIn: policies.builtIn });
  const documents = new ReportDocuments();
  const files = new DocumentFiles(join(configuration.VEDETTE_DATA_DIR, 'reports'));
  const catalogue = new ReportCatalogue(frameworks, planner);
  const reports = new ComplianceReports({ telemetry, documents, files, now: () => clock.now() });
  return {
    ...{ catalogue, reports },
    routes: reportRoutes({ catalogue, reports }),
    queues: { reports: () => documents.queue },
    close: () => documents.close(),
  };
}

import type { ControlStore } from '../../control/store.ts';
import type { KnownCloudAccount } from '../../telemetry/resource-search.ts';
import type { ListedOnly } from '../compliance/plan.ts';
import type { ReportCloud, ReportStatus } from '../compliance/report.ts';
import type { ReportName } from '../compliance/report-catalogue.ts';
import { severityNumber } from '../compliance/severity-number.ts';
import type { ReportDefinitions } from '../definitions/report-definitions.ts';
import type { DistributionData, DistributionIntegration } from '../distributions/data.ts';
import { distributionRecord } from '../distributions/record.ts';
import { mailChannels } from './mail-channels.ts';
import type { PlannedReport, ReportPlans } from './report-plans.ts';

/** The reports of report distributions. */
export class DistributionPlans implements ReportPlans {
  readonly #store: ControlStore;
  readonly #definitions: ReportDefinitions;

  constructor(store: ControlStore, definitions: ReportDefinitions) {
    this.#store = store;
    this.#definitions = definitions;
  }

  async reports(): Promise<PlannedReport[]> {
    const { read } = this.#store;
    const rows = await read.selectFrom('report_distributions').selectAll().execute();
    if (rows.length === 0) return [];
    const accounts = await read.selectFrom('accounts').select(['id', 'name']).execute();
    const mailboxes = await mailChannels(read);
    const reports: PlannedReport[] = [];
    for (const row of rows) {
      const { alertChannels, frequency, data, reportDefinitionGuid } = distributionRecord(row);
      const found = await this.#report(row.owner_id, reportDefinitionGuid);
      if (!found) continue;
      const { integrations, resourceGroups } = data;
      reports.push({
        ...{ key: row.id, name: row.id, frequency, since: row.updated_at },
        type: { kind: 'compliance', ...found },
        accounts: accounts.filter(({ id }) => id === row.owner_id),
        channels: mailboxes(row.owner_id, alertChannels),
        groups: { ownerId: row.owner_id, filters: { resourceGroups } },
        ...{ severities: [], listedOnly: listedOnly(data) },
        ...(integrations.length > 0 && {
          cloudAccounts: (one) => integrations.some((integration) => isSelected(integration, one)),
        }),
      });
    }
    return reports;
  }

  async #report(
    ownerId: string,
    guid: string,
  ): Promise<{ readonly cloud: ReportCloud; readonly report: ReportName } | undefined> {
    const builtIn = await this.#definitions.builtIn.frameworkOf(guid);
    if (builtIn) return { cloud: builtIn.cloud, report: { reportType: builtIn.reportType } };
    const own = await this.#definitions.definitionByGuid(ownerId, guid);
    return own && { cloud: own.cloud, report: { definition: guid } };
  }
}

function listedOnly({ severities, violations }: DistributionData): ListedOnly {
  return {
    ...(severities.length > 0 && { severities: severities.map(severityNumber) }),
    ...(violations.length > 0 && {
      statuses: violations.map((one): ReportStatus => (one === 'Manual' ? 'RequiresManualAssessment' : one)),
    }),
  };
}

/** A tenant or organization alone selects all of its accounts. */
function isSelected(integration: DistributionIntegration, { id, parent }: KnownCloudAccount): boolean {
  const { accountId, subscriptionId, projectId, tenantId, organizationId } = integration;
  const own = accountId ?? subscriptionId ?? projectId;
  const above = tenantId ?? organizationId;
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return (own === undefined || same(own, id)) && (above === undefined || same(above, parent));
}

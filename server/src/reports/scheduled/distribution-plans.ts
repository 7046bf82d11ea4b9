import type { ControlStore } from '../../control/store.ts';
import type { KnownCloudAccount } from '../../telemetry/resource-search.ts';
import type { ListedOnly } from '../compliance/plan.ts';
import type { ReportCloud, ReportStatus } from '../compliance/report.ts';
import type { ReportName } from '../compliance/report-catalogue.ts';
import { severityNumber } from '../compliance/severity-number.ts';
import type { BuiltInDefinitions } from '../definitions/built-in-definitions.ts';
import type { DistributionData, DistributionIntegration } from '../distributions/data.ts';
import { distributionRecord } from '../distributions/record.ts';
import { mailChannels } from './mail-channels.ts';
import type { PlannedReport, ReportPlans } from './report-plans.ts';

/** The reports of report distributions. */
export class DistributionPlans implements ReportPlans {
  readonly #store: ControlStore;
  readonly #builtIn: Pick<BuiltInDefinitions, 'frameworkOf'>;

  constructor(store: ControlStore, builtIn: Pick<BuiltInDefinitions, 'frameworkOf'>) {
    this.#store = store;
    this.#builtIn = builtIn;
  }

  async reports(): Promise<PlannedReport[]> {
    const { read } = this.#store;
    const rows = await distributions(read);
    if (rows.length === 0) return [];
    const all = await read.selectFrom('accounts').select(['id', 'name']).execute();
    const accounts = new Map(all.map((account) => [account.id, account]));
    const mailboxes = await mailChannels(read);
    const reports: PlannedReport[] = [];
    for (const row of rows) {
      const { alertChannels, frequency, data, reportDefinitionGuid } = distributionRecord(row);
      const found = await this.#report(reportDefinitionGuid, row.sub_report_type);
      const account = accounts.get(row.owner_id);
      if (!found || !account) continue;
      const { integrations, resourceGroups } = data;
      reports.push({
        ...{ key: row.id, name: row.id, frequency, since: row.updated_at },
        type: { kind: 'compliance', ...found },
        accounts: [account],
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
    guid: string,
    ownCloud: string | null,
  ): Promise<{ readonly cloud: ReportCloud; readonly report: ReportName } | undefined> {
    const builtIn = await this.#builtIn.frameworkOf(guid);
    if (builtIn) return { cloud: builtIn.cloud, report: { reportType: builtIn.reportType } };
    return ownCloud === null ? undefined : { cloud: ownCloud as ReportCloud, report: { definition: guid } };
  }
}

/** With the cloud of a custom definition only: all of them are read every few seconds, and definitions are large. */
function distributions(db: ControlStore['read']) {
  return db
    .selectFrom('report_distributions')
    .leftJoin('report_definitions', (join) =>
      join
        .onRef('report_definitions.id', '=', 'report_distributions.report_definition_guid')
        .onRef('report_definitions.owner_id', '=', 'report_distributions.owner_id'),
    )
    .selectAll('report_distributions')
    .select('report_definitions.sub_report_type')
    .execute();
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

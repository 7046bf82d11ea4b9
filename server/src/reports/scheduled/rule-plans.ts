import type { ControlStore } from '../../control/store.ts';
import { ruleOf } from '../../rules/record.ts';
import { reportRule } from '../../rules/report-rule.ts';
import type { Frameworks } from '../frameworks/frameworks.ts';
import { mailChannels } from './mail-channels.ts';
import type { PlannedReport, ReportPlans } from './report-plans.ts';
import { scheduledType } from './report-type.ts';

/** The reports of report rules: those of an organization's rule for all its accounts. */
export class RulePlans implements ReportPlans {
  readonly #store: ControlStore;
  readonly #frameworks: Frameworks;

  constructor(store: ControlStore, frameworks: Frameworks) {
    this.#store = store;
    this.#frameworks = frameworks;
  }

  async reports(): Promise<PlannedReport[]> {
    const { read } = this.#store;
    const rows = await read.selectFrom('rules').selectAll().where('family', '=', reportRule.family).execute();
    const rules = rows.map((row) => ({ row, rule: ruleOf(row) })).filter(({ rule }) => rule.filters.enabled);
    if (rules.length === 0) return [];
    const accounts = await read.selectFrom('accounts').select(['id', 'name', 'organization_id']).execute();
    const frameworks = await this.#frameworks.heads();
    const mailboxes = await mailChannels(read);
    return rules.flatMap(({ row, rule: { filters, intgGuidList, reportNotificationTypes = {} } }) => {
      const own = accounts.filter(({ id, organization_id }) => [id, organization_id].includes(row.owner_id));
      const shared = {
        ...{ since: row.updated_at, accounts: own, listedOnly: {} },
        channels: mailboxes(row.owner_id, intgGuidList),
        groups: { ownerId: row.owner_id, filters: { resourceGroups: filters.resourceGroups ?? [] } },
        severities: filters.severity ?? [],
      };
      return Object.entries(reportNotificationTypes).flatMap(([name, isWanted]): PlannedReport[] => {
        const type = isWanted ? scheduledType(name, frameworks) : undefined;
        if (!type) return [];
        const key = `${row.id} ${name}`;
        if (type.kind !== 'compliance') {
          const frequency = type.kind === 'trend' ? 'weekly' : 'daily';
          // Rules select different alerts, so each sends its own report.
          return [{ ...shared, key, type, frequency, name: type.kind === 'trend' ? name : key }];
        }
        const { reportType, cloud } = type.framework;
        const compliance = { kind: 'compliance', cloud, report: { reportType } } as const;
        return [{ ...shared, key, name: reportType, frequency: 'daily', type: compliance }];
      });
    });
  }
}

import { Refusal } from '../../platform/errors.ts';
import { suggestion } from '../../platform/nearest.ts';
import { quoted } from '../../platform/quoted.ts';
import type { Framework } from '../frameworks/framework.ts';
import type { Frameworks } from '../frameworks/frameworks.ts';
import type { ReportPlan } from './plan.ts';
import type { PlanRequest, ReportPlanner } from './planner.ts';

/** How a request names a framework. */
export interface ReportName {
  readonly reportType?: string;
  readonly reportName?: string;
}

/** The reports that an account can ask for. */
export class ReportCatalogue {
  readonly #frameworks: Frameworks;
  readonly #planner: ReportPlanner;

  constructor(frameworks: Frameworks, planner: ReportPlanner) {
    this.#frameworks = frameworks;
    this.#planner = planner;
  }

  async plan({ reportType, reportName }: ReportName, request: PlanRequest): Promise<ReportPlan> {
    const framework = reportType
      ? await this.#framework('reportType', reportType)
      : await this.#framework('reportName', reportName);
    return this.#planner.ofFramework(framework, request);
  }

  async #framework(member: 'reportType' | 'reportName', given: string | undefined): Promise<Framework> {
    if (!given)
      throw new Refusal('INVALID_INPUT', 'reportType is required: add it to the query, such as AWS_CIS_14.');
    const byType = member === 'reportType';
    const found = await (byType ? this.#frameworks.byReportType(given) : this.#frameworks.byTitle(given));
    if (found) return found;
    const known = (await this.#frameworks.heads()).map((head) => (byType ? head.reportType : head.title));
    const advice = suggestion(given, known, 'GET /api/v2/ReportDefinitions lists those that exist.');
    throw new Refusal('INVALID_INPUT', `${member} ${quoted(given)} does not exist. ${advice}`);
  }
}

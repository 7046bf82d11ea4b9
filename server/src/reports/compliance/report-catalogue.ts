import { Refusal } from '../../platform/errors.ts';
import { suggestion } from '../../platform/nearest.ts';
import { quoted } from '../../platform/quoted.ts';
import type { CustomDefinition, ReportDefinitions } from '../definitions/report-definitions.ts';
import type { Framework } from '../frameworks/framework.ts';
import type { Frameworks } from '../frameworks/frameworks.ts';
import type { ReportPlan } from './plan.ts';
import type { PlanRequest, ReportPlanner } from './planner.ts';

/** How a request names a report. */
export interface ReportName {
  readonly reportType?: string;
  /** Title of a framework, or name of a definition of the account. */
  readonly reportName?: string;
  /** Identifier of a definition of the account. */
  readonly definition?: string;
}

export interface ReportCatalogueDeps {
  readonly frameworks: Frameworks;
  readonly definitions: ReportDefinitions;
  readonly planner: ReportPlanner;
}

/** The reports that an account can ask for: those of the release, and those it defined. */
export class ReportCatalogue {
  readonly #deps: ReportCatalogueDeps;

  constructor(deps: ReportCatalogueDeps) {
    this.#deps = deps;
  }

  async plan({ reportType, reportName, definition }: ReportName, request: PlanRequest): Promise<ReportPlan> {
    const { frameworks, definitions, planner } = this.#deps;
    const { ownerId } = request;
    if (definition) {
      const found = await definitions.definitionByGuid(ownerId, definition);
      if (!found)
        throw new Refusal('NOT_FOUND', `The report definition ${quoted(definition)} does not exist.`);
      return planner.ofPolicies(policyFramework(found), request);
    }
    if (reportType) {
      const framework = await frameworks.byReportType(reportType);
      if (framework) return planner.ofFramework(framework, request);
      throw await this.#unknown('reportType', reportType, (head) => head.reportType);
    }
    if (!reportName)
      throw new Refusal('INVALID_INPUT', 'reportType is required: add it to the query, such as AWS_CIS_14.');
    const framework = await frameworks.byTitle(reportName);
    if (framework) return planner.ofFramework(framework, request);
    const own = await definitions.definitionByName(ownerId, reportName);
    if (own) return planner.ofPolicies(policyFramework(own), request);
    throw await this.#unknown('reportName', reportName, (head) => head.title);
  }

  async #unknown(
    member: keyof ReportName,
    given: string,
    nameOf: (head: Pick<Framework, 'reportType' | 'title'>) => string,
  ): Promise<Refusal> {
    const known = (await this.#deps.frameworks.heads()).map(nameOf);
    const advice = suggestion(given, known, 'GET /api/v2/ReportDefinitions lists those that exist.');
    return new Refusal('INVALID_INPUT', `${member} ${quoted(given)} does not exist. ${advice}`);
  }
}

function policyFramework({ guid, title, cloud, sections, overrides }: CustomDefinition) {
  return {
    ...{ reportType: guid, title, cloud, sections },
    titles: new Map(overrides.map((override) => [override.policy, override.title])),
  };
}

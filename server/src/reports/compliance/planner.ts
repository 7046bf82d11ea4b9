import type { ControlStore } from '../../control/store.ts';
import type { Pack } from '../../detection/packs/pack.ts';
import type { BuiltInPolicies } from '../../detection/policies/built-in-policies.ts';
import { type PolicyRecord, policyRecord } from '../../detection/policies/record.ts';
import { serviceOfTags } from '../../detection/policies/service-tag.ts';
import type { Check } from '../frameworks/checks.ts';
import type { Framework, FrameworkControl } from '../frameworks/framework.ts';
import type { Frameworks } from '../frameworks/frameworks.ts';
import { PoliciesByCheck } from '../frameworks/policies-by-check.ts';
import type {
  ListedOnly,
  PlannedControl,
  PlannedException,
  PlannedPolicy,
  ReportPlan,
  UnassessedCheck,
} from './plan.ts';
import type { ReportCloud } from './report.ts';
import { severityNumber } from './severity-number.ts';

export interface ReportPlannerDeps {
  readonly store: ControlStore;
  readonly pack: Pack;
  readonly frameworks: Frameworks;
  readonly builtIn: BuiltInPolicies;
}

/** Whose policies and exceptions a report shows, and which recommendations. */
export interface PlanRequest {
  readonly ownerId: string;
  readonly listedOnly?: ListedOnly;
}

/** A framework that names policies: one that an account has defined. */
export interface PolicyFramework extends Pick<ReportPlan, 'reportType' | 'title' | 'cloud'> {
  readonly sections: readonly { readonly title: string; readonly policies: readonly string[] }[];
  /** Titles that replace those of policies, by id. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Finds out what a report contains: policies of the account instead of checks, its severities and exceptions. */
export class ReportPlanner {
  readonly #deps: ReportPlannerDeps;
  readonly #byCheck: PoliciesByCheck;

  constructor(deps: ReportPlannerDeps) {
    this.#deps = deps;
    this.#byCheck = new PoliciesByCheck(deps.pack);
  }

  async ofFramework(framework: Framework, request: PlanRequest): Promise<ReportPlan> {
    const { reportType, title, cloud, kind } = framework;
    const checks = await this.#deps.frameworks.checks();
    const sections = framework.sections.map((section) => ({
      ...{ id: section.id, title: section.title },
      controls: section.controls.map((control) => this.#planned(framework, control, checks)),
    }));
    return this.#complete({ reportType, title, cloud, kind, sections }, request, new Map());
  }

  ofPolicies({ titles, ...framework }: PolicyFramework, request: PlanRequest): Promise<ReportPlan> {
    const sections = framework.sections.map(({ title, policies }, index) => {
      const id = `${index + 1}`;
      const controls = policies.map((policy, at) => ({
        ...{ id: `${id}.${at + 1}`, policies: [policy], unassessed: [] },
      }));
      return { id, title, controls };
    });
    return this.#complete({ ...framework, kind: 'benchmark', sections }, request, titles);
  }

  #planned(
    { reportType, cloud }: Framework,
    { id, isManual, checks: keys }: FrameworkControl,
    checks: ReadonlyMap<string, Check>,
  ): PlannedControl {
    const found = keys.map((key) => ({ key, policies: this.#byCheck.find(key) }));
    const unassessed: UnassessedCheck[] = found
      .filter(({ policies }) => policies.length === 0)
      .map(({ key }) => {
        const { service, severity, isAttested } = checks.get(key) as Check;
        return {
          ...{ id: key, title: wordsOf(key), service: serviceOf(cloud, service), isManual: isAttested },
          severity: severityNumber(severity),
        };
      });
    const isAttested =
      unassessed.some((check) => check.isManual) ||
      found.some((one) => one.policies.some(({ policyType }) => policyType === 'Manual'));
    // Checks are evidence only: the framework says that a person decides. A manual policy says the same.
    const person: UnassessedCheck[] =
      (isManual || keys.length === 0) && !isAttested
        ? [
            {
              ...{
                id: `${reportType}:${id}`,
                title: `Control ${id} is assessed by a person`,
                isManual: true,
              },
              ...{ service: cloud.toLowerCase(), severity: severityNumber('info') },
            },
          ]
        : [];
    const policies = found.flatMap((one) => one.policies.map((policy) => policy.id));
    return { id, policies, unassessed: [...unassessed, ...person] };
  }

  async #complete(
    plan: Pick<ReportPlan, 'reportType' | 'title' | 'cloud' | 'kind' | 'sections'>,
    { ownerId, listedOnly = {} }: PlanRequest,
    titles: ReadonlyMap<string, string>,
  ): Promise<ReportPlan> {
    const ids = new Set(
      plan.sections.flatMap(({ controls }) => controls.flatMap(({ policies }) => policies)),
    );
    const records = await this.#records(ownerId, ids);
    const policies = records.map((record) => this.#policy(plan.cloud, record, titles.get(record.policyId)));
    return {
      ...plan,
      policies: new Map(policies.map((policy) => [policy.id, policy])),
      exceptions: await this.#exceptions(ownerId, ids),
      listedOnly,
    };
  }

  async #records(ownerId: string, ids: ReadonlySet<string>): Promise<PolicyRecord[]> {
    const { store, builtIn } = this.#deps;
    const shipped = (await builtIn.list(ownerId)).filter(({ policyId }) => ids.has(policyId));
    const own = [...ids].filter((id) => !builtIn.has(id));
    if (own.length === 0) return shipped;
    const rows = await store.read
      .selectFrom('policies')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('id', 'in', own)
      .execute();
    return [...shipped, ...rows.map(policyRecord)];
  }

  #policy(cloud: ReportCloud, record: PolicyRecord, title = record.title): PlannedPolicy {
    const { policyId: id, policyType, tags, severity, enabled, description, infoLink, references } = record;
    return {
      ...{ id, title, description, service: serviceOf(cloud, serviceOfTags(tags)) },
      severity: severityNumber(severity),
      infoLink: infoLink ?? references?.[0] ?? '',
      remediation: this.#deps.pack.policy(id)?.steps ?? record.remediation,
      state: policyType === 'Manual' ? 'manual' : enabled ? 'automated' : 'disabled',
    };
  }

  async #exceptions(ownerId: string, ids: ReadonlySet<string>): Promise<Map<string, PlannedException>> {
    const rows = await this.#deps.store.read
      .selectFrom('policy_exceptions')
      .select(['id', 'policy_id', 'description', 'updated_by', 'expires_at'])
      .where('owner_id', '=', ownerId)
      .execute();
    return new Map(
      rows
        .filter(({ policy_id }) => ids.has(policy_id))
        .map(({ id, description, updated_by, expires_at }) => [
          id,
          { description, grantedBy: updated_by, ...(expires_at !== null && { until: expires_at }) },
        ]),
    );
  }
}

const serviceOf = (cloud: ReportCloud, service: string | undefined) =>
  service ? `${cloud.toLowerCase()}:${service}` : cloud.toLowerCase();

/** Checks without a policy have no title. */
const wordsOf = (key: string) => `Check ${key.replaceAll('_', ' ')}`;

import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import { type Pack, shippedPacks } from '@vedette/server/detection/packs/pack';
import { suggestion } from '@vedette/server/platform/nearest';
import { Frameworks } from '@vedette/server/reports/frameworks/frameworks';
import { PoliciesByCheck } from '@vedette/server/reports/frameworks/policies-by-check';
import { UsageError } from '../usage-error.ts';

/** The framework that a check is limited to: its controls by policy, and what no policy here assesses. */
export class CheckedFramework {
  readonly reportType: string;
  readonly title: string;
  readonly #controls: ReadonlyMap<string, readonly string[]>;
  /** Controls that a person assesses, that have no policy yet, or whose policies are about another cloud. */
  readonly uncovered: readonly string[];

  private constructor(
    { reportType, title }: Pick<CheckedFramework, 'reportType' | 'title'>,
    controls: ReadonlyMap<string, readonly string[]>,
    uncovered: readonly string[],
  ) {
    this.reportType = reportType;
    this.title = title;
    this.#controls = controls;
    this.uncovered = uncovered;
  }

  static async load(given: string, cloud: Cloud, pack: Pack): Promise<CheckedFramework> {
    const frameworks = new Frameworks(shippedPacks());
    const framework = await frameworks.byReportType(given.toUpperCase());
    if (!framework) {
      const known = (await frameworks.heads()).filter((head) => head.cloud.toLowerCase() === cloud);
      const types = known.map(({ reportType }) => reportType);
      const otherwise = `Use one of ${types.join(', ')}.`;
      throw new UsageError(`--framework '${given}' does not exist. ${suggestion(given, types, otherwise)}`);
    }
    const own = framework.cloud.toLowerCase();
    if (own !== cloud)
      throw new UsageError(
        `--framework ${framework.reportType} is about ${framework.cloud}: run vedette check ${own}.`,
      );
    const byCheck = new PoliciesByCheck(pack);
    const controls = new Map<string, string[]>();
    const uncovered: string[] = [];
    for (const { id, isManual, checks } of framework.sections.flatMap((section) => section.controls)) {
      const assessing = checks.flatMap((check) =>
        byCheck
          .find(check)
          .filter(({ policyType, folder }) => policyType === 'Compliance' && folder.startsWith(`${cloud}/`)),
      );
      if (isManual || assessing.length === 0) uncovered.push(id);
      for (const policy of assessing) controls.set(policy.id, [...(controls.get(policy.id) ?? []), id]);
    }
    return new CheckedFramework(framework, controls, uncovered);
  }

  has(policyId: string): boolean {
    return this.#controls.has(policyId);
  }

  /** The controls that a policy assesses. */
  controlsOf(policyId: string): readonly string[] {
    return [...new Set(this.#controls.get(policyId))];
  }
}

import { resolvePolicyId } from '../../detection/policies/policy-id.ts';
import type { Scope } from '../../identity/scope.ts';
import { Refusal } from '../../platform/errors.ts';
import { type DefinitionChange, maxPolicies } from './form.ts';

export interface DefinitionSection {
  readonly category: string;
  readonly title: string;
  readonly policies: readonly string[];
}

export interface DefinitionOverride {
  readonly policy: string;
  readonly title: string;
}

/** The content of a report: which policies, in which sections, under which titles. */
export interface DefinitionContent {
  readonly sections: readonly DefinitionSection[];
  readonly overrides: readonly DefinitionOverride[];
}

type GivenContent = NonNullable<DefinitionChange['reportDefinition']>;

export const noContent: DefinitionContent = { sections: [], overrides: [] };

/** Arrays that are given replace the present ones; `$account` in policy ids is replaced by the account name. */
export function mergedContent(
  scope: Scope,
  present: DefinitionContent,
  given: GivenContent,
): DefinitionContent {
  const sections = given.sections?.map(({ category, title, policies }) => ({
    ...{ category: category ?? '', title },
    policies: (policies ?? []).map((id) => resolvePolicyId(scope, id)),
  }));
  const overrides = given.overrides?.map(({ policy, title }) => ({
    ...{ policy: resolvePolicyId(scope, policy), title },
  }));
  return checked({ sections: sections ?? present.sections, overrides: overrides ?? present.overrides });
}

/** All policies that the content names, once each. */
export function policiesOf({ sections, overrides }: DefinitionContent): Set<string> {
  return new Set([...sections.flatMap(({ policies }) => policies), ...overrides.map(({ policy }) => policy)]);
}

function checked(content: DefinitionContent): DefinitionContent {
  const count = content.sections.reduce((sum, { policies }) => sum + policies.length, 0);
  if (count === 0)
    throw invalid('sections has no policy: add the identifier of at least one to the policies of a section.');
  if (count > maxPolicies)
    throw invalid(`sections has ${count} policies, more than the maximum of ${maxPolicies}: remove some.`);
  const overridden = new Set<string>();
  for (const [index, { policy }] of content.overrides.entries()) {
    if (overridden.has(policy))
      throw invalid(`overrides[${index}].policy repeats ${policy}: keep one title for each policy.`);
    overridden.add(policy);
  }
  return content;
}

function invalid(problem: string): Refusal {
  return new Refusal('INVALID_INPUT', `reportDefinition.${problem}`);
}

import { readSeverity, type Severity } from '../../detection/policies/severity.ts';
import { Refusal } from '../../platform/errors.ts';
import type { GivenData, results } from './form.ts';

/** A cloud account, or all accounts of a tenant or organization. */
export type DistributionIntegration = Partial<Record<(typeof cloudIds)[number], string>>;

/** What a distributed report is about; an empty array restricts nothing. */
export interface DistributionData {
  readonly severities: readonly Severity[];
  readonly violations: readonly (typeof results)[number][];
  readonly resourceGroups: readonly string[];
  readonly integrations: readonly DistributionIntegration[];
}

const cloudIds = ['accountId', 'tenantId', 'subscriptionId', 'organizationId', 'projectId'] as const;

export const noData: DistributionData = {
  ...{ severities: [], violations: [], resourceGroups: [], integrations: [] },
};

/** Arrays that are given replace the present ones. */
export function mergedData(present: DistributionData, given: GivenData | null | undefined): DistributionData {
  const data: DistributionData = {
    severities: given?.severities ? readSeverities(given.severities) : present.severities,
    violations: given?.violations ?? present.violations,
    resourceGroups: given?.resourceGroups ?? present.resourceGroups,
    integrations: given?.integrations?.map(readIntegration) ?? present.integrations,
  };
  if (data.resourceGroups.length === 0 || data.integrations.length === 0) return data;
  throw new Refusal(
    'INVALID_INPUT',
    'data.resourceGroups and data.integrations can not be combined: make one of them an empty array.',
  );
}

/** A client sends severities with spaces around them. */
function readSeverities(given: readonly string[]): Severity[] {
  const severities = given.map((severity, index) =>
    readSeverity(severity.trim(), `data.severities[${index}]`),
  );
  return [...new Set(severities)];
}

function readIntegration(
  given: NonNullable<GivenData['integrations']>[number],
  index: number,
): DistributionIntegration {
  const ids = cloudIds.filter((name) => given[name]);
  if (ids.length > 0) return Object.fromEntries(ids.map((name) => [name, given[name]]));
  throw new Refusal(
    'INVALID_INPUT',
    `data.integrations[${index}] selects nothing: set one of ${cloudIds.join(', ')}.`,
  );
}

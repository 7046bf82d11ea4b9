import { matcher } from './evaluator.ts';
import { checkPatterns } from './filter.ts';
import { type ApiRecord, project } from './record.ts';
import type { Search } from './request.ts';
import type { StepBudget } from './step-budget.ts';

/** Filters records given as JSON and returns the matching ones as JSON. */
export function matchingStrings(
  records: readonly string[],
  { filters, returns }: Pick<Search, 'filters' | 'returns'>,
  budget?: StepBudget,
): readonly string[] {
  if (filters.length === 0 && !returns) return records;
  checkPatterns(filters);
  const matches = matcher(filters, budget);
  return records.flatMap((json) => {
    const record = JSON.parse(json) as ApiRecord;
    if (!matches(record)) return [];
    return returns ? JSON.stringify(project(record, returns)) : json;
  });
}

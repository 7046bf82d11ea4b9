import { Refusal } from '../../platform/errors.ts';
import { printable } from '../../platform/quoted.ts';
import type { PolicyRecord } from '../policies/record.ts';
import type { Constraint } from './form.ts';
import { constraintFieldsOf, isExceptionKey } from './keys.ts';

/**
 * Validates constraints against the keys that the policy offers. An exception keeps its keys even if the policy no
 * longer offers them.
 */
export function checkConstraints(
  policy: PolicyRecord,
  constraints: readonly Constraint[],
  present: readonly Constraint[] = [],
): void {
  const { constraintFields } = policy.exceptionConfiguration;
  const keptFields = constraintFieldsOf(present.map(({ fieldKey }) => fieldKey).filter(isExceptionKey));
  const valid = `[${constraintFields.map(({ fieldKey }) => fieldKey).join(', ')}]`;
  if (constraints.length === 0) {
    throw invalid(
      `constraints must have at least one of ${valid}: to suppress the whole policy ${policy.policyId}, disable it.`,
    );
  }
  for (const [index, { fieldKey, fieldValues }] of constraints.entries()) {
    const at = `constraints[${index}]`;
    const field = [...constraintFields, ...keptFields].find((candidate) => candidate.fieldKey === fieldKey);
    // Clients match this wording.
    if (!field) {
      throw invalid(
        `fieldKey: ${printable(fieldKey)} is not applicable to policy ${policy.policyId}. Valid fieldKey are ${valid}`,
      );
    }
    if (!field.multiValue && fieldValues.length > 1) {
      throw invalid(
        `${at}.fieldValues must have one value for ${fieldKey}: create an exception for each value.`,
      );
    }
    for (const [position, value] of fieldValues.entries()) {
      const isTag = typeof value === 'object';
      if (isTag === (field.dataType === 'KVTagPair') || value === '*') continue;
      const expected = isTag ? 'a string' : 'an object with key and value, or *';
      throw invalid(`${at}.fieldValues[${position}] must be ${expected} for ${fieldKey}.`);
    }
  }
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_INPUT', message);
}

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
  const kept = constraintFieldsOf(present.map(({ fieldKey }) => fieldKey).filter(isExceptionKey));
  const valid = `[${constraintFields.map(({ fieldKey }) => fieldKey).join(', ')}]`;
  if (constraints.length === 0) {
    throw refuse(
      `constraints must have at least one of ${valid}: to suppress the whole policy ${policy.policyId}, disable it.`,
    );
  }
  for (const [index, { fieldKey, fieldValues }] of constraints.entries()) {
    const at = `constraints[${index}]`;
    const field = [...constraintFields, ...kept].find((candidate) => candidate.fieldKey === fieldKey);
    // Clients match this wording.
    if (!field) {
      throw refuse(
        `fieldKey: ${printable(fieldKey)} is not applicable to policy ${policy.policyId}. Valid fieldKey are ${valid}`,
      );
    }
    if (!field.multiValue && fieldValues.length > 1) {
      throw refuse(
        `${at}.fieldValues must have one value for ${fieldKey}: create an exception for each value.`,
      );
    }
    for (const [place, value] of fieldValues.entries()) {
      const isTag = typeof value === 'object';
      if (isTag === (field.dataType === 'KVTagPair') || value === '*') continue;
      const wanted = isTag ? 'a string' : 'an object with key and value, or *';
      throw refuse(`${at}.fieldValues[${place}] must be ${wanted} for ${fieldKey}.`);
    }
  }
}

function refuse(message: string): Refusal {
  return new Refusal('INVALID_INPUT', message);
}

import { Refusal } from '../../platform/errors.ts';
import type { PolicyRecord } from '../policies/record.ts';
import type { Constraint } from './form.ts';

/** Checks constraints, field by field, against what the policy says exceptions may name. */
export function checkConstraints(policy: PolicyRecord, constraints: readonly Constraint[]): void {
  const { constraintFields } = policy.exceptionConfiguration;
  const valid = `[${constraintFields.map(({ fieldKey }) => fieldKey).join(', ')}]`;
  if (constraints.length === 0) {
    throw refuse(
      `constraints must name at least one of ${valid}: to silence the whole policy ${policy.policyId}, disable it.`,
    );
  }
  for (const [index, { fieldKey, fieldValues }] of constraints.entries()) {
    const at = `constraints[${index}]`;
    const field = constraintFields.find((candidate) => candidate.fieldKey === fieldKey);
    if (!field) {
      throw refuse(
        `${at} has an invalid fieldKey: ${fieldKey} for the policy ${policy.policyId}, the valid keys are ${valid}`,
      );
    }
    if (!field.multiValue && fieldValues.length > 1) {
      throw refuse(`${at}.fieldValues takes one value only for ${fieldKey}: make an exception for each.`);
    }
    for (const [place, value] of fieldValues.entries()) {
      const isTag = typeof value === 'object';
      if (isTag === (field.dataType === 'KVTagPair') || value === '*') continue;
      const wanted = isTag ? 'a text' : 'an object with key and value, or *';
      throw refuse(`${at}.fieldValues[${place}] must be ${wanted} for ${fieldKey}.`);
    }
  }
}

function refuse(message: string): Refusal {
  return new Refusal('INVALID_INPUT', message);
}

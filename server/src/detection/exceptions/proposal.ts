import type { Marks, StringMark } from '../../alerts/marks.ts';
import type { PolicyRecord } from '../policies/record.ts';
import type { Constraint } from './form.ts';

type ConstraintField = PolicyRecord['exceptionConfiguration']['constraintFields'][number];

/** Limit of one constraint. */
const maxValues = 1_000;

/**
 * The narrowest constraints over the offered keys that cover all violations: for each key that all of them have, their
 * values. A violation on a host has the names of the host and of the object on it, so each gets a constraint. Tags
 * change more often than other attributes, so they count only if no other key distinguishes the resources.
 */
export function proposedConstraints(
  { exceptionConfiguration: { constraintFields } }: Pick<PolicyRecord, 'exceptionConfiguration'>,
  marks: readonly Marks[],
): Constraint[] {
  if (marks.length === 0) return [];
  const named = constraintFields.flatMap((field) => stringConstraints(field, marks));
  const identifying = new Set(['arns', 'resourceNames']);
  if (named.some(({ fieldKey }) => identifying.has(fieldKey))) return named;
  return [...named, ...constraintFields.flatMap((field) => tagConstraint(field, marks))];
}

function stringConstraints(field: ConstraintField, marks: readonly Marks[]): Constraint[] {
  if (field.dataType !== 'String') return [];
  const values = marks.map(({ texts }) => texts[field.fieldKey as StringMark] ?? []);
  const count = field.fieldKey === 'resourceNames' ? Math.min(...values.map(({ length }) => length)) : 1;
  const all = Array.from({ length: count }, (_, index) =>
    stringConstraint(
      field,
      values.map((own) => own[index]),
    ),
  ).flat();
  // Removes duplicates.
  return [...new Map(all.map((constraint) => [JSON.stringify(constraint), constraint])).values()];
}

/** The first value of a violation is the most specific. */
function stringConstraint(field: ConstraintField, values: readonly (string | undefined)[]): Constraint[] {
  const distinct = [...new Set(values)].filter((value) => value !== undefined);
  // A star would act as a wildcard and match too much.
  const isUsable = values.every((value) => value !== undefined && !value.includes('*'));
  return isUsable ? constraintOf(field, distinct.sort()) : [];
}

/** Tags that all violations have. The values of a constraint are alternatives, so a single tag is the narrowest. */
function tagConstraint(field: ConstraintField, marks: readonly Marks[]): Constraint[] {
  if (field.dataType !== 'KVTagPair') return [];
  const [firstTags, ...others] = marks.map(
    ({ tags }) => new Set(tags.map(({ key, value }) => JSON.stringify([key, value]))),
  );
  const [first] = [...(firstTags ?? [])]
    .filter((tag) => !tag.includes('*') && others.every((other) => other.has(tag)))
    .sort();
  if (first === undefined) return [];
  const [key, value] = JSON.parse(first) as [string, string];
  return constraintOf(field, [{ key, value }]);
}

function constraintOf(
  { fieldKey, multiValue }: ConstraintField,
  fieldValues: Constraint['fieldValues'],
): Constraint[] {
  const isFitting = fieldValues.length <= (multiValue ? maxValues : 1);
  return isFitting ? [{ fieldKey, fieldValues }] : [];
}

import type { Marks, StringMark } from '../../alerts/marks.ts';
import type { PolicyRecord } from '../policies/record.ts';
import type { Constraint } from './form.ts';

type ConstraintField = PolicyRecord['exceptionConfiguration']['constraintFields'][number];

/** As many as one constraint takes. */
const mostValues = 1_000;

/**
 * The narrowest constraints, over what exceptions to the policy may name, that cover all of the violations: for each key
 * that every one of them has, the values that they have. What is on a machine goes by the names of both, so there is a
 * constraint for each. Tags change more often than what they are attached to, so they count only where nothing else tells
 * the resources apart.
 */
export function proposedConstraints(
  { exceptionConfiguration: { constraintFields } }: Pick<PolicyRecord, 'exceptionConfiguration'>,
  marks: readonly Marks[],
): Constraint[] {
  if (marks.length === 0) return [];
  const named = constraintFields.flatMap((field) => textConstraints(field, marks));
  const telling = new Set(['arns', 'resourceNames']);
  if (named.some(({ fieldKey }) => telling.has(fieldKey))) return named;
  return [...named, ...constraintFields.flatMap((field) => tagConstraint(field, marks))];
}

function textConstraints(field: ConstraintField, marks: readonly Marks[]): Constraint[] {
  if (field.dataType !== 'String') return [];
  const values = marks.map(({ texts }) => texts[field.fieldKey as StringMark] ?? []);
  const places = field.fieldKey === 'resourceNames' ? Math.min(...values.map(({ length }) => length)) : 1;
  const all = Array.from({ length: places }, (_, place) =>
    textConstraint(
      field,
      values.map((own) => own[place]),
    ),
  ).flat();
  // The same values in another place say nothing more.
  return [...new Map(all.map((constraint) => [JSON.stringify(constraint), constraint])).values()];
}

/** Of several values that a violation goes by, the first tells most. */
function textConstraint(field: ConstraintField, values: readonly (string | undefined)[]): Constraint[] {
  const distinct = [...new Set(values)].filter((value) => value !== undefined);
  // A star would be taken for a wildcard, and cover more than is meant.
  const isUsable = values.every((value) => value !== undefined && !value.includes('*'));
  return isUsable ? constraintOf(field, distinct.sort()) : [];
}

/** The tags that all of them have: each names one tag, and one of several is enough, so the first alone is narrower. */
function tagConstraint(field: ConstraintField, marks: readonly Marks[]): Constraint[] {
  if (field.dataType !== 'KVTagPair') return [];
  const [one, ...others] = marks.map(
    ({ tags }) => new Set(tags.map(({ key, value }) => JSON.stringify([key, value]))),
  );
  const [first] = [...(one ?? [])]
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
  const isFitting = fieldValues.length <= (multiValue ? mostValues : 1);
  return isFitting ? [{ fieldKey, fieldValues }] : [];
}

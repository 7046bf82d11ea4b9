import { Refusal } from '../../platform/errors.ts';
import type { PolicyChange, PolicyCreation } from './form.ts';
import type { PolicyRow } from './record.ts';
import { readSeverity } from './severity.ts';

/** Author and time of a change. */
export interface ChangeAuthor {
  readonly by: string;
  readonly at: number;
}

export function newRow(
  ownerId: string,
  body: PolicyCreation,
  { by, at }: ChangeAuthor,
): Omit<PolicyRow, 'id'> {
  return checked({
    owner_id: ownerId,
    policy_type: body.policyType || 'Violation',
    query_id: body.queryId ?? '',
    title: body.title,
    description: body.description,
    remediation: body.remediation,
    severity: readSeverity(body.severity),
    enabled: body.enabled ? 1 : 0,
    alert_enabled: body.alertEnabled ? 1 : 0,
    row_limit: body.limit ?? 1_000,
    eval_frequency: body.evalFrequency || 'Hourly',
    alert_profile: body.alertProfile ?? '',
    tags: JSON.stringify(body.tags ?? []),
    exception_configuration: '{"constraintFields":[]}',
    evaluator_id: body.evaluatorId ?? null,
    created_by: by,
    updated_at: at,
    updated_by: by,
  });
}

/** Omitted members keep their values; so do empty strings where a value is required. */
export function changedRow(row: PolicyRow, body: PolicyChange, { by, at }: ChangeAuthor): PolicyRow {
  return checked({
    ...row,
    policy_type: body.policyType || row.policy_type,
    query_id: body.queryId || row.query_id,
    title: body.title ?? row.title,
    description: body.description ?? row.description,
    remediation: body.remediation ?? row.remediation,
    severity: body.severity ? readSeverity(body.severity) : row.severity,
    enabled: flagOf(body.enabled) ?? row.enabled,
    alert_enabled: flagOf(body.alertEnabled) ?? row.alert_enabled,
    row_limit: body.limit ?? row.row_limit,
    eval_frequency: body.evalFrequency || row.eval_frequency,
    alert_profile: body.alertProfile ?? row.alert_profile,
    tags: body.tags ? JSON.stringify(body.tags) : row.tags,
    evaluator_id: body.evaluatorId ?? row.evaluator_id,
    updated_at: at,
    updated_by: by,
  });
}

export function flagOf(value: boolean | null | undefined): 0 | 1 | undefined {
  if (value === null || value === undefined) return undefined;
  return value ? 1 : 0;
}

function checked<Row extends Omit<PolicyRow, 'id'>>(row: Row): Row {
  if (row.policy_type === 'Manual' || row.query_id) return row;
  throw new Refusal(
    'INVALID_INPUT',
    `queryId is required for a ${row.policy_type} policy: set it to the query that finds violations.`,
  );
}

import { type Static, Type } from 'typebox';
import type { Tables } from '../../control/tables.ts';
import { formatInstant } from '../../platform/instant.ts';
import { Constraint } from './form.ts';

export type ExceptionRow = Tables['policy_exceptions'];

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 30, description });

export const ExceptionRecord = Type.Object(
  {
    exceptionId: string(100, 'Identifier used in paths.'),
    policyId: string(200, 'The policy it is an exception to.'),
    description: string(10_000, 'Reason for the exception.'),
    constraints: Type.Array(Constraint, { description: 'Constraints of the exception.' }),
    expiresAt: Type.Optional(instant('Expiry time; omitted if it never expires.')),
    active: Type.Boolean({ description: 'Whether it is in force.' }),
    lastUpdateTime: instant('When it was last changed.'),
    lastUpdateUser: string(320, 'User who changed it last.'),
  },
  { description: 'An exception to a policy.' },
);
export type ExceptionRecord = Static<typeof ExceptionRecord>;

/** Whether an exception is in force; it ends at its expiry time. */
export function isInForce({ expires_at }: Pick<ExceptionRow, 'expires_at'>, now: number): boolean {
  return expires_at === null || now < expires_at;
}

export function exceptionRecord(row: ExceptionRow, now: number): ExceptionRecord {
  return {
    exceptionId: row.id,
    policyId: row.policy_id,
    description: row.description,
    constraints: JSON.parse(row.constraints),
    ...(row.expires_at !== null && { expiresAt: formatInstant(row.expires_at) }),
    active: isInForce(row, now),
    lastUpdateTime: formatInstant(row.updated_at),
    lastUpdateUser: row.updated_by,
  };
}

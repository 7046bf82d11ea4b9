import { type Static, Type } from 'typebox';
import type { Tables } from '../../control/tables.ts';
import { formatInstant } from '../../platform/instant.ts';
import { readRecord } from '../../search/record.ts';
import { datasetOf } from '../../search/record-fields.ts';
import { builtInOwner } from '../built-in-owner.ts';
import type { BuiltInPolicy } from '../packs/policy.ts';
import { type Severity, severities } from './severity.ts';

export type PolicyRow = Tables['policies'];
export type BuiltInRow = Tables['built_in_policies'];

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });

export const PolicyRecord = Type.Object(
  {
    policyId: string(200, 'Identifier used in paths.'),
    policyType: string(20, 'Violation, Compliance or Manual.'),
    queryId: string(200, 'The query that finds violations; empty for a Manual policy.'),
    title: string(1_000, 'Title.'),
    description: string(100_000, 'Description of the finding and its risk.'),
    remediation: string(100_000, 'Remediation steps.'),
    severity: Type.Enum([...severities], { description: 'Severity of a violation.' }),
    enabled: Type.Boolean({ description: 'Whether it is evaluated.' }),
    alertEnabled: Type.Boolean({ description: 'Whether violations raise alerts.' }),
    limit: Type.Integer({ description: 'Maximum number of records that an alert lists.' }),
    evalFrequency: string(20, 'Hourly or Daily.'),
    alertProfile: string(500, 'Alert profile, optionally with a template; empty for none.'),
    tags: Type.Array(Type.String({ maxLength: 500 }), { description: 'Tags.' }),
    exceptionConfiguration: Type.Object(
      {
        constraintFields: Type.Array(
          Type.Object({
            fieldKey: string(100, 'Name of the constraint.'),
            dataType: string(20, 'String or KVTagPair.'),
            multiValue: Type.Boolean({ description: 'Whether it takes several values.' }),
          }),
          { description: 'Fields available to the constraints of an exception.' },
        ),
      },
      { description: 'Configuration of exceptions to the policy.' },
    ),
    evaluatorId: Type.Optional(string(200, 'Kept for older clients; it has no effect.')),
    owner: string(320, `User who created it; ${builtInOwner} if built in.`),
    lastUpdateTime: Type.String({
      format: 'date-time',
      maxLength: 30,
      description: 'When it was last changed.',
    }),
    lastUpdateUser: string(320, 'User who changed it last.'),
    infoLink: Type.Optional(string(500, 'Link to more information; built-in policies only.')),
    references: Type.Optional(
      Type.Array(Type.String({ maxLength: 500 }), { description: 'Sources; built-in policies only.' }),
    ),
  },
  { description: 'A policy.' },
);
export type PolicyRecord = Static<typeof PolicyRecord>;

const { infoLink, references, ...stored } = PolicyRecord.properties;

export const policiesDataset = datasetOf(Type.Object(stored), {
  name: 'Policies',
  description: 'Policies: queries that are evaluated for violations, with their severity and alerting.',
  table: 'policies',
  key: 'id',
  columns: {
    policyId: 'id',
    limit: 'row_limit',
    owner: 'created_by',
    lastUpdateTime: 'updated_at',
    lastUpdateUser: 'updated_by',
  },
});

export function policyRecord(row: PolicyRow): PolicyRecord {
  return readRecord(row as unknown as Record<string, unknown>, policiesDataset) as PolicyRecord;
}

/** A built-in policy with the changes of its account, if any. */
export function builtInRecord(policy: BuiltInPolicy, decided: BuiltInRow | undefined): PolicyRecord {
  return {
    policyId: policy.id,
    policyType: policy.policyType,
    queryId: policy.queryId ?? '',
    title: policy.title,
    description: policy.description,
    remediation: policy.remediation,
    severity: (decided?.severity as Severity | undefined) ?? policy.severity,
    enabled: decided ? decided.enabled === 1 : policy.enabled,
    alertEnabled: decided ? decided.alert_enabled === 1 : policy.alertEnabled,
    limit: policy.limit,
    evalFrequency: policy.evalFrequency,
    alertProfile: policy.alertProfile ?? '',
    tags: [...policy.tags],
    exceptionConfiguration: { constraintFields: [...policy.constraintFields] },
    owner: builtInOwner,
    lastUpdateTime: decided ? formatInstant(decided.updated_at) : policy.changedTime,
    lastUpdateUser: decided?.updated_by ?? builtInOwner,
    ...(policy.infoLink !== undefined && { infoLink: policy.infoLink }),
    ...(policy.references && { references: [...policy.references] }),
  };
}

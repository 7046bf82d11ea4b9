import { type Static, Type } from 'typebox';
import { omissible } from '../../platform/omissible.ts';
import { severities } from './severity.ts';

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const flag = (description: string) => Type.Boolean({ description });
const severity = string(20, `One of ${severities.join(', ')}, in any letter case.`);
const enabled = flag('Whether it is evaluated.');

const required = {
  title: Type.String({ pattern: '\\S', minLength: 1, maxLength: 1_000, description: 'Title.' }),
  description: string(100_000, 'Description of the finding and its risk.'),
  remediation: string(100_000, 'Remediation steps.'),
  severity,
  enabled,
  alertEnabled: flag('Whether violations raise alerts.'),
};

/** Clients send an empty string for a missing value. */
const optionalMembers = {
  policyType: omissible(
    Type.Enum(['Violation', 'Compliance', 'Manual', ''], { description: 'Defaults to Violation.' }),
  ),
  queryId: omissible(
    string(200, 'The query that finds violations; it must exist. Only a Manual policy needs none.'),
  ),
  limit: omissible(
    Type.Integer({
      minimum: 1,
      maximum: 5_000,
      description: 'Maximum number of records that an alert lists; defaults to 1000.',
    }),
  ),
  evalFrequency: omissible(
    Type.Enum(['Hourly', 'Daily', ''], { description: 'Deprecated. Defaults to Hourly.' }),
  ),
  alertProfile: omissible(
    string(500, 'Alert profile, optionally followed by a dot and a template; it must exist.'),
  ),
  tags: omissible(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 500, description: 'Tags.' }),
  ),
  evaluatorId: omissible(string(200, 'Sent by older clients; it has no effect.')),
};

export const PolicyCreation = Type.Object({
  ...required,
  ...optionalMembers,
  policyId: omissible(
    string(
      200,
      '`$account-` and 1 to 16 lower-case letters, optionally a hyphen and 1 to 8 digits; not default. Generated if omitted.',
    ),
  ),
});
export type PolicyCreation = Static<typeof PolicyCreation>;

export const PolicyChange = Type.Object({
  title: omissible(required.title),
  description: omissible(required.description),
  remediation: omissible(required.remediation),
  severity: omissible(severity),
  enabled: omissible(enabled),
  alertEnabled: omissible(required.alertEnabled),
  ...optionalMembers,
});
export type PolicyChange = Static<typeof PolicyChange>;

export const PolicyLevel = Type.Object({
  policyId: Type.String({ minLength: 1, maxLength: 200, description: 'The policy, built-in or custom.' }),
  enabled: omissible(enabled),
  severity: omissible(severity),
});
export type PolicyLevel = Static<typeof PolicyLevel>;

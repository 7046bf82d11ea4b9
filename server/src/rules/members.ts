import { Type } from 'typebox';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { eventCategories, subCategories } from './categories.ts';
import { severityNames } from './severities.ts';

const enumArray = (values: readonly string[], description: string) =>
  Type.Array(Type.Enum(values as [string, ...string[]]), { maxItems: 100, description });

export const name = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 500,
  description: 'Name; must not be empty or consist of spaces only.',
});

/** Members of all kinds of rules. */
export const generalMembers = {
  description: Type.String({ maxLength: 4_000, description: 'Purpose of the rule; may be empty.' }),
  enabled: coded(disabledOrEnabled, 'Whether it is enabled:'),
};

/** Members that select alerts. */
export const alertMembers = {
  severity: Type.Array(coded(severityNames, 'Severity:'), {
    uniqueItems: true,
    maxItems: 5,
    description: 'Severities of the alerts.',
  }),
  resourceGroups: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 1_000,
    description: 'Identifiers of the resource groups to which the rule is limited.',
  }),
  subCategory: enumArray(subCategories, 'Subcategories of the alerts.'),
  eventCategory: enumArray(eventCategories, 'Former name of subCategory; both always have the same value.'),
  category: enumArray(['Anomaly', 'Policy', 'Composite'], 'Categories of the alerts.'),
  source: enumArray(['Agent', 'AWS', 'Azure', 'GCP', 'K8s', 'OCI'], 'Sources of the alerts.'),
};

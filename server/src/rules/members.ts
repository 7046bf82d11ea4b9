import { Type } from 'typebox';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { eventCategories, subCategories } from './categories.ts';
import { severityNames } from './severities.ts';

const words = (list: readonly string[], description: string) =>
  Type.Array(Type.Enum(list as [string, ...string[]]), { maxItems: 100, description });

export const name = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 500,
  description: 'Name; must not be empty or consist of spaces only.',
});

/** What rules of every kind say of themselves. */
export const generalMembers = {
  description: Type.String({ maxLength: 4_000, description: 'What the rule is for; may be empty.' }),
  enabled: coded(disabledOrEnabled, 'Whether it is enabled:'),
};

/** Which alerts a rule is about. */
export const alertMembers = {
  severity: Type.Array(coded(severityNames, 'Severity:'), {
    uniqueItems: true,
    maxItems: 5,
    description: 'Severities of the alerts.',
  }),
  resourceGroups: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 1_000,
    description: 'Identifiers of the resource groups that it is limited to.',
  }),
  subCategory: words(subCategories, 'What the alerts are about.'),
  eventCategory: words(eventCategories, 'The earlier name of subCategory; both always say the same.'),
  category: words(['Anomaly', 'Policy', 'Composite'], 'How the alerts are found.'),
  source: words(['Agent', 'AWS', 'Azure', 'GCP', 'K8s', 'OCI'], 'Where the alerts come from.'),
};

import { type Static, Type } from 'typebox';
import { omissible } from '../../platform/omissible.ts';

/** Begins with a letter, digit or `_`, so that it is never a dot segment of a path. */
const namePattern = '^[A-Za-z0-9_][A-Za-z0-9_. -]*$';

const eventName = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 500,
  description: 'Name of the resulting alert; must not be empty or consist of spaces only.',
});
const description = Type.String({ maxLength: 10_000, description: 'Summary of the alert.' });
const subject = Type.String({ maxLength: 2_000, description: 'The observation, in one sentence.' });

export const AlertTemplate = Type.Object(
  {
    name: Type.String({
      pattern: namePattern,
      minLength: 1,
      maxLength: 100,
      description:
        'Name by which policies refer to it, unique in the profile: letters, digits, spaces, `_`, `.` and `-`.',
    }),
    eventName,
    description,
    subject,
  },
  { description: 'The text of an alert. `{{FIELD}}` is replaced by the value of a field of the profile.' },
);
export type AlertTemplate = Static<typeof AlertTemplate>;

/** Omitted and null members keep their values. */
export const TemplateChange = Type.Object({
  eventName: omissible(eventName),
  description: omissible(description),
  subject: omissible(subject),
});
export type TemplateChange = Static<typeof TemplateChange>;

export const NamedTemplateChange = Type.Object({
  name: AlertTemplate.properties.name,
  ...TemplateChange.properties,
});
export type NamedTemplateChange = Static<typeof NamedTemplateChange>;

/** Bounds the size of responses and audit entries. */
export const maxTemplates = 100;

export function mergedTemplate(present: AlertTemplate, change: TemplateChange): AlertTemplate {
  return {
    name: present.name,
    eventName: change.eventName ?? present.eventName,
    description: change.description ?? present.description,
    subject: change.subject ?? present.subject,
  };
}

import { type Static, Type } from 'typebox';
import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';
import { AlertTemplate, maxTemplates, NamedTemplateChange } from './template.ts';

/** No dots: in a policy's reference, a dot separates the profile from the template. */
const idPattern = '^[A-Za-z0-9_][A-Za-z0-9_-]*$';

export const ProfileCreation = Type.Object({
  alertProfileId: Type.String({
    pattern: idPattern,
    minLength: 1,
    maxLength: 100,
    description:
      'Identifier: letters, digits, `_` and `-`, not beginning with LW_, used once in the account.',
  }),
  extends: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The predefined profile from which it inherits fields and templates.',
  }),
  alerts: Type.Array(AlertTemplate, {
    maxItems: maxTemplates,
    description: 'Own templates; one with the name of an inherited template overrides it.',
  }),
});
export type ProfileCreation = Static<typeof ProfileCreation>;

const changedTemplates = Type.Array(NamedTemplateChange, { maxItems: maxTemplates });

/** Clients send back what they read, so other members are ignored. */
export const ProfileChange = Type.Object({
  alerts: Type.Optional(
    Type.Union([changedTemplates, Type.Null()], { description: 'The complete new array of templates.' }),
  ),
});
export type ProfileChange = Static<typeof ProfileChange>;

/** A new template must be complete; `place` is its position in the body. */
export function wholeTemplate(given: NamedTemplateChange, place: string): AlertTemplate {
  const member = (name: 'eventName' | 'description' | 'subject') => {
    const value = given[name];
    if (value !== undefined && value !== null) return value;
    throw new Refusal(
      'INVALID_INPUT',
      `${place}.${name} is required because the profile has no template ${quoted(given.name)}: add it to the body.`,
    );
  };
  return {
    name: given.name,
    eventName: member('eventName'),
    description: member('description'),
    subject: member('subject'),
  };
}

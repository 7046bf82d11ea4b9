import { type TObject, type TSchema, Type } from 'typebox';
import { omissible, omissibles } from '../platform/omissible.ts';
import type { RuleKind } from './kind.ts';
import { name } from './members.ts';

const channels = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 1_000,
  uniqueItems: true,
  description: 'Identifiers (intgGuid) of the alert channels of the rule.',
});
const filtersHint = { description: 'Name and filters of the rule.' };

function optionals(members: Readonly<Record<string, TSchema>>) {
  return Object.fromEntries(Object.entries(members).map(([key, schema]) => [key, Type.Optional(schema)]));
}

function typeOf({ type }: RuleKind) {
  return Type.Literal(type, { description: 'Type of rule.' });
}

export function ruleCreation(kind: RuleKind): TObject {
  return Type.Object({
    type: typeOf(kind),
    filters: Type.Object({ name, ...omissibles(kind.members) }, filtersHint),
    intgGuidList: channels,
    ...(kind.reportTypes && { reportNotificationTypes: kind.reportTypes }),
  });
}

/** Clients send back whole records: other members are ignored, including the type. */
export function ruleChange({ members, reportTypes }: RuleKind): TObject {
  return Type.Object({
    filters: omissible(Type.Object(omissibles({ name, ...members }), filtersHint)),
    intgGuidList: omissible(channels),
    ...(reportTypes && { reportNotificationTypes: omissible(reportTypes) }),
  });
}

/** The time is a string, because clients decode a string. */
export function ruleForm(kind: RuleKind): TObject {
  const shown = {
    ...{ name, ...optionals(kind.members), enabled: kind.members.enabled as TSchema },
    createdOrUpdatedTime: Type.String({
      maxLength: 30,
      description: 'When it was last changed, epoch milliseconds.',
    }),
    createdOrUpdatedBy: Type.String({ maxLength: 320, description: 'User who changed it last.' }),
  };
  return Type.Object(
    {
      mcGuid: Type.String({ maxLength: 100, description: 'Identifier used in paths.' }),
      name,
      type: typeOf(kind),
      isOrg: Type.Integer({ minimum: 0, maximum: 1, description: '1: belongs to the organization itself.' }),
      filters: Type.Object(shown, filtersHint),
      intgGuidList: channels,
      ...(kind.reportTypes && { reportNotificationTypes: kind.reportTypes }),
      ...optionals(kind.derived?.members ?? {}),
    },
    { description: 'A rule.' },
  );
}

import { type Static, Type } from 'typebox';
import { omissible } from '../../platform/omissible.ts';

const tagValue = Type.String({ maxLength: 2_048 });

/** A string or a tag: one client sends the value of a tag as a string, the others as an array. */
const fieldValue = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: 2_048 }),
    Type.Object({
      key: Type.String({ minLength: 1, maxLength: 2_048, description: 'Key of the tag; * for any.' }),
      value: Type.Union([tagValue, Type.Array(tagValue, { minItems: 1, maxItems: 1_000 })], {
        description: 'Value of the tag, or several alternatives; * for any.',
      }),
    }),
  ],
  { description: 'A string or a tag.' },
);

export const Constraint = Type.Object({
  fieldKey: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "One of the policy's exceptionConfiguration.constraintFields.",
  }),
  fieldValues: Type.Array(fieldValue, {
    minItems: 1,
    maxItems: 1_000,
    description: 'Values to except; * for any.',
  }),
});
export type Constraint = Static<typeof Constraint>;

const constraints = Type.Array(Constraint, {
  maxItems: 100,
  description: 'A violation is excepted if all constraints match.',
});
const description = omissible(Type.String({ maxLength: 10_000, description: 'Reason for the exception.' }));
const expiresAt = Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
  description: 'Expiry time, such as 2030-01-31T00:00:00Z; never if omitted or null.',
});

export const ExceptionCreation = Type.Object({
  description,
  constraints,
  expiresAt: Type.Optional(expiresAt),
});
export type ExceptionCreation = Static<typeof ExceptionCreation>;

export const ExceptionChange = Type.Object({
  description,
  constraints: omissible(constraints),
  expiresAt: Type.Optional(expiresAt),
});
export type ExceptionChange = Static<typeof ExceptionChange>;

import { type TSchema, Type } from 'typebox';
import { emailPattern } from '../identity/user-row.ts';
import { coded, disabledOrEnabled } from '../platform/coded.ts';

/** An optional member; null means the same as omission. */
export function orNull<Given extends TSchema>(given: Given, description: string) {
  return Type.Optional(Type.Union([given, Type.Null()], { description }));
}

export const email = Type.String({
  pattern: emailPattern,
  maxLength: 255,
  examples: ['ada@example.com'],
  description: 'It must be an e-mail address; it is stored in lower case.',
});

export const userEnabled = orNull(
  coded(disabledOrEnabled, 'Whether they have access:'),
  'Whether they have access: 0 (disabled), 1 (enabled), which is the default.',
);

export function flagOf(given: number | null | undefined): 0 | 1 | undefined {
  return given === 0 || given === 1 ? given : undefined;
}

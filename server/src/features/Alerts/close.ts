import { type Static, Type } from 'typebox';
import type { Closing } from '../../alerts/alerts.ts';
import { type CloseReason, closeReasons } from '../../alerts/close-reasons.ts';
import { Constraint } from '../../detection/exceptions/form.ts';
import { ExceptionRecord } from '../../detection/exceptions/record.ts';
import type { SilencingWish } from '../../detection/exceptions/silencing.ts';
import { coded } from '../../platform/coded.ts';
import { Refusal } from '../../platform/errors.ts';
import { omissible } from '../../platform/omissible.ts';

/** Those that say that the like of it need not be told again. */
const silenceable: readonly CloseReason[] = [1, 4, 5];
const reasons = silenceable.map((reason) => `${reason} (${closeReasons[reason]})`).join(', ');

export const CloseBody = Type.Object({
  reason: coded(closeReasons, 'Why:'),
  comment: omissible(
    Type.String({ maxLength: 10_000, description: 'More about it; required when the reason is 0.' }),
  ),
  exception: omissible(
    Type.Enum(['propose', 'create'], {
      description:
        'For the reasons 1, 4 and 5: say which exception to the policy would hide it, or make that exception as well.',
    }),
  ),
});

export const CloseAnswer = Type.Object({
  data: Type.Object(
    {
      constraints: Type.Array(Constraint, {
        description: 'The narrowest that cover all violations of the alert; empty when there are none.',
      }),
      wouldHide: Type.Integer({
        description: 'Alerts of the policy in the last 90 days that they would have hidden entirely.',
      }),
      exception: Type.Optional(ExceptionRecord),
    },
    { description: 'What keeps the like of it from coming again.' },
  ),
});

/** What a closing says, and whether it asks for an exception. */
export function readClosing({ reason, comment, exception }: Static<typeof CloseBody>): {
  closing: Closing;
  wish: SilencingWish | undefined;
} {
  const closing = { reason: reason as CloseReason, comment: comment?.trim() ?? '' };
  if (closing.reason === 0 && closing.comment === '') {
    throw new Refusal(
      'INVALID_INPUT',
      'comment is required when reason is 0 (Other): say why the alert is closed.',
    );
  }
  if (exception && !silenceable.includes(closing.reason)) {
    throw new Refusal(
      'INVALID_INPUT',
      `exception is only allowed with reason ${reasons}: omit it when reason is ${reason}.`,
    );
  }
  return { closing, wish: exception ?? undefined };
}

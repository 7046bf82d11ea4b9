import { type Static, Type } from 'typebox';
import type { Closing } from '../../alerts/alerts.ts';
import { type CloseReason, closeReasons } from '../../alerts/close-reasons.ts';
import { Constraint } from '../../detection/exceptions/form.ts';
import { ExceptionRecord } from '../../detection/exceptions/record.ts';
import type { SuppressionRequest } from '../../detection/exceptions/suppression.ts';
import { coded } from '../../platform/coded.ts';
import { Refusal } from '../../platform/errors.ts';
import { omissible } from '../../platform/omissible.ts';

/** Close reasons that justify suppressing similar alerts. */
const suppressible: readonly CloseReason[] = [1, 4, 5];
const reasons = suppressible.map((reason) => `${reason} (${closeReasons[reason]})`).join(', ');

export const CloseBody = Type.Object({
  reason: coded(closeReasons, 'Reason for closing:'),
  comment: omissible(
    Type.String({ maxLength: 10_000, description: 'Explanation; required when the reason is 0.' }),
  ),
  exception: omissible(
    Type.Enum(['propose', 'create'], {
      description:
        'With reason 1, 4 or 5: propose the policy exception that would suppress this alert, or also create it.',
    }),
  ),
});

export const CloseResult = Type.Object({
  data: Type.Object(
    {
      constraints: Type.Array(Constraint, {
        description:
          'The narrowest constraints that cover all violations of the alert; empty if there are none.',
      }),
      wouldHide: Type.Integer({
        description:
          'Alerts of the policy in the last 90 days that the constraints would have suppressed entirely.',
      }),
      exception: Type.Optional(ExceptionRecord),
    },
    { description: 'The exception that suppresses similar alerts.' },
  ),
});

/** Reads the close reason and the requested exception. */
export function readClosing({ reason, comment, exception }: Static<typeof CloseBody>): {
  closing: Closing;
  exceptionMode: SuppressionRequest | undefined;
} {
  const closing = { reason: reason as CloseReason, comment: comment?.trim() ?? '' };
  if (closing.reason === 0 && closing.comment === '') {
    throw new Refusal(
      'INVALID_INPUT',
      'comment is required when reason is 0 (Other): say why the alert is closed.',
    );
  }
  if (exception && !suppressible.includes(closing.reason)) {
    throw new Refusal(
      'INVALID_INPUT',
      `exception is only allowed with reason ${reasons}: omit it when reason is ${reason}.`,
    );
  }
  return { closing, exceptionMode: exception ?? undefined };
}

import { Refusal } from '../../../platform/errors.ts';

/** Records that passed our checks and that the engine can not keep: a number out of range, or JSON that it reads in another way. */
export function refuseUnreadable(error: unknown): never {
  if (!/^(Conversion|Invalid Input|Out of Range|Constraint) Error/.test(String((error as Error).message)))
    throw error;
  throw new Refusal(
    'INVALID_INPUT',
    'A record holds a number, a time or a text that can not be stored: whole numbers have at most 64 bits.',
  );
}

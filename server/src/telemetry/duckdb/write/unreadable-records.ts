import { Refusal } from '../../../platform/errors.ts';

/**
 * Refuses records that passed validation but that the engine can not store: a number out of range, or JSON that it
 * parses differently.
 */
export function refuseUnreadable(error: unknown): never {
  if (!/^(Conversion|Invalid Input|Out of Range|Constraint) Error/.test(String((error as Error).message)))
    throw error;
  throw new Refusal(
    'INVALID_INPUT',
    'A record contains a number, timestamp or string that can not be stored: integers have at most 64 bits.',
  );
}

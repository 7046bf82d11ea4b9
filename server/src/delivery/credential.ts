import { DeliveryError } from './channel.ts';

/** A key or token as it goes into a header. Those of a restored backup are empty until somebody enters them again. */
export function credential(member: string, value: string): string {
  if (value === '') throw new DeliveryError(`data.${member} is empty: enter it again.`, { isFinal: true });
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new DeliveryError(
      `data.${member} has characters that no key has: enter it again, without blanks and line ends.`,
      { isFinal: true },
    );
  return value;
}

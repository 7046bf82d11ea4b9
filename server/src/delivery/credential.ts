import { DeliveryError } from './channel.ts';

/** A key or token for a header. Pasted values may have surrounding white space. */
export function credential(member: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new DeliveryError(
    `data.${member} is not a valid key: enter it again, without spaces and line breaks.`,
    {
      isFinal: true,
    },
  );
}

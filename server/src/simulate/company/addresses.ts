/**
 * Public addresses are those that RFC 5737 sets aside for documentation: none of them belongs to anybody whom
 * simulated misdeeds could be blamed on.
 */
const block = (prefix: string) => Array.from({ length: 254 }, (_, index) => `${prefix}.${index + 1}`);

/** Where customers come from. */
export const customerAddresses: readonly string[] = block('198.51.100');
/** Where services of others answer, and the company itself. */
const serviceAddresses = block('192.0.2').slice(0, 126);
export const ownAddresses: readonly string[] = block('192.0.2').slice(126);
/** Where nobody should come from. */
export const hostileAddresses: readonly string[] = block('203.0.113');

/** The same one for the same name. */
export function serviceAddress(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) % serviceAddresses.length;
  return serviceAddresses[sum] as string;
}

/**
 * Public addresses are from the documentation ranges of RFC 5737, so that no real owner is associated with
 * simulated attacks.
 */
const block = (prefix: string) => Array.from({ length: 254 }, (_, index) => `${prefix}.${index + 1}`);

/** Customers. */
export const customerAddresses: readonly string[] = block('198.51.100');
/** Third-party services, and the company's own. */
const serviceAddresses = block('192.0.2').slice(0, 126);
export const ownAddresses: readonly string[] = block('192.0.2').slice(126);
/** Attackers. */
export const hostileAddresses: readonly string[] = block('203.0.113');

/** Deterministic by name. */
export function serviceAddress(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) % serviceAddresses.length;
  return serviceAddresses[sum] as string;
}

/**
 * Clients derive the account name from a host under this domain: they reject any other, or use the whole host as the
 * name.
 */
const clientDomain = 'lacework.net';

export function accountHost(account: string): string {
  return `${account}.${clientDomain}`;
}

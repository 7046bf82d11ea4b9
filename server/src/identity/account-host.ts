/** The clients know an account by its host under this domain: they refuse any other, or take all of it for a name. */
const clientDomain = 'lacework.net';

export function accountHost(account: string): string {
  return `${account}.${clientDomain}`;
}

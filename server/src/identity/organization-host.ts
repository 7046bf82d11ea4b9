import { accountHost } from './account-host.ts';
import type { Account } from './caller.ts';

/** Host of the organization's primary account, by which clients distinguish it from other accounts. */
export type OrganizationHost = (organization: Account) => string;

/** The public host if configured; never the Host header of a request, which clients would list as an account. */
export function organizationHost(publicUrl: URL | undefined): OrganizationHost {
  return ({ name }) => publicUrl?.host ?? accountHost(name);
}

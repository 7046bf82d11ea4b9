import { accountHost } from './account-host.ts';
import type { Account } from './caller.ts';

/** Host of the organization's own account, by which clients tell it from the other accounts. */
export type OrganizationHost = (organization: Account) => string;

/** The public address when there is one; never the host of a request, which clients would list as an account. */
export function organizationHost(publicUrl: URL | undefined): OrganizationHost {
  return ({ name }) => publicUrl?.host ?? accountHost(name);
}

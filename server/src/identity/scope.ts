import { Refusal } from '../platform/errors.ts';
import { type Account, type Caller, mayRead, mayWrite } from './caller.ts';

/**
 * Required access of an operation. `any`: a valid token or session of any role. `agent`: the token of an agent. `session`: a
 * session of the console, of any role; tokens have no access.
 */
export type Access = 'public' | 'any' | 'read' | 'write' | 'agent' | 'session';

/** What an agent access token was made for: the agent of a host, or a collector of cloud resources. */
export const tokenPurposes = ['agent', 'collector'] as const;
export type TokenPurpose = (typeof tokenPurposes)[number];

/** The owner whose data a request accesses: an account, or the organization itself. */
export interface Scope {
  readonly ownerId: string;
  readonly name: string;
  readonly isOrganization: boolean;
  /** Whether the caller has read-only access, and therefore sees no usable secret. */
  readonly isReadOnly: boolean;
}

export interface ScopeRequest {
  readonly accountName: string | undefined;
  readonly orgAccess: boolean;
}

/** Determines the scope from the headers Account-Name and Org-Access, or rejects the request with 403. */
export function chooseScope(
  caller: Caller,
  request: ScopeRequest,
  access: Access,
  isOrgOperation: boolean,
): Scope {
  return request.orgAccess && isOrgOperation
    ? organizationScope(caller, access)
    : accountScope(caller, request, access);
}

function organizationScope(caller: Caller, access: Access): Scope {
  const { organization, organizationRole } = caller;
  if (!allowsAnyRole(access) && !organizationRole) {
    throw new Refusal(
      'FORBIDDEN',
      'Org-Access requires an organization role: omit the header to use your account.',
    );
  }
  if (access === 'write' && organizationRole !== 'orgAdmin') throw readOnly();
  return {
    ownerId: organization.id,
    name: organization.name,
    isOrganization: true,
    isReadOnly: organizationRole !== 'orgAdmin',
  };
}

function accountScope(caller: Caller, request: ScopeRequest, access: Access): Scope {
  const requestedName = request.accountName?.toLowerCase();
  const account = requestedName
    ? [caller.home, ...caller.accounts].find((candidate) => candidate.name === requestedName)
    : caller.home;
  const isReadable = account !== undefined && mayRead(caller, account.id);
  if (allowsAnyRole(access)) return scopeOf(caller, isReadable ? account : caller.home);
  if (!isReadable) {
    const requested = request.accountName ?? caller.home.name;
    throw new Refusal(
      'INVALID_ACCOUNT',
      `Invalid Account '${requested}': set the header Account-Name to an account in which you are an administrator.`,
    );
  }
  if (access === 'write' && !mayWrite(caller, account.id)) throw readOnly();
  return scopeOf(caller, account);
}

function scopeOf(caller: Caller, { id, name }: Account): Scope {
  return { ownerId: id, name, isOrganization: false, isReadOnly: !mayWrite(caller, id) };
}

function allowsAnyRole(access: Access): boolean {
  return access === 'any' || access === 'session';
}

function readOnly(): Refusal {
  return new Refusal('FORBIDDEN', 'Your role is read-only: ask an administrator to make the change.');
}

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../identity/caller.ts';
import type { Callers } from '../identity/callers.ts';
import { type Access, chooseScope, type Scope, type TokenPurpose } from '../identity/scope.ts';
import type { SessionCallers } from '../identity/session-callers.ts';
import type { CredentialKind, KnownCredential, SignInFailures } from '../identity/sign-in-failures.ts';
import { Refusal } from '../platform/errors.ts';
import type { Attempt } from './attempt.ts';
import type { ConsoleOrigin } from './console-origin.ts';
import type { Operation } from './operation.ts';
import type { AddressLimiter } from './rate/address-limiter.ts';
import type { Limiter } from './rate/limiter.ts';
import type { Decision } from './rate/sliding-window.ts';
import { sessionCookie, sessionValueOf } from './session-cookie.ts';

const unlimited: Decision = { allowed: true, limit: 2_147_483_647, remaining: 2_147_483_647, reset: 0 };

/** Synchronous for a cached caller, which is the usual case; a promise only if the store is queried. */
export type MaybePromise<Value> = Value | Promise<Value>;

function chain<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Resolves an agent access token to its account and purpose; undefined if the token is invalid or disabled. */
export interface Agents {
  accessOf(token: string): Promise<
    | {
        readonly scope: Scope;
        readonly purpose: TokenPurpose;
        /** The token to use instead, while the one in the request is being rotated. */
        readonly successor?: string;
      }
    | undefined
  >;
  /** Describes a token that was valid once, for the audit log and the response. */
  formerOf?(token: string): Promise<FormerCredential | undefined>;
}

export interface FormerCredential extends KnownCredential {
  /** Replaces the general message of the response. */
  readonly message?: string;
}

export interface GateDeps {
  readonly callers: Callers;
  readonly sessions: Pick<SessionCallers, 'resolve' | 'describeEnded'>;
  readonly origin: ConsoleOrigin;
  readonly agents: Agents;
  /** Limits users and keys. */
  readonly limiter: Limiter;
  readonly addresses: AddressLimiter;
  readonly failures: SignInFailures;
  readonly limit: number | 'off';
}

/** Authenticates requests and applies rate limits. */
export class Gate {
  readonly #deps: GateDeps;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /** Before the body is read: authenticates the caller and counts the request. Unknown paths are counted too. */
  admit(request: FastifyRequest, operation: Operation | undefined): MaybePromise<Caller | undefined> {
    if (operation === undefined || operation.route.declaration.access === 'public') {
      this.#admitPublic(request, operation);
      return undefined;
    }
    const { authorization, cookie } = request.headers;
    // A request with Authorization ignores the cookie, so that the token alone determines its permissions.
    const session = authorization === undefined ? sessionValueOf(cookie) : undefined;
    if (session !== undefined) return this.#admitSession(request, operation, session);
    if (operation.route.declaration.access === 'session')
      return this.#refuse(request, operation, { kind: 'session', token: undefined });
    const token = tokenOf(authorization);
    return chain(token ? this.#deps.callers.byToken(token) : undefined, (caller) =>
      caller
        ? this.#admitCaller(request, operation, caller)
        : chain(token ? this.#deps.callers.describeInvalid(token) : undefined, (known) =>
            this.#refuse(request, operation, { kind: 'access_token', token, known }),
          ),
    );
  }

  #admitSession(request: FastifyRequest, operation: Operation, value: string): MaybePromise<Caller> {
    const { sessions, origin } = this.#deps;
    const foreign = origin.refusal(request);
    if (foreign) {
      request.rate = this.#takeForAddress(request.ip, operation.functionality);
      throw request.rate.allowed ? foreign : rateLimited(request.rate);
    }
    return chain(sessions.resolve(value), (resolved) => {
      if (!resolved)
        return chain(sessions.describeEnded(value), (known) =>
          this.#refuse(request, operation, { kind: 'session', token: value, known }),
        );
      if (resolved.renewed !== undefined) request.cookie = sessionCookie(resolved.renewed);
      return this.#admitCaller(request, operation, resolved.caller);
    });
  }

  #admitCaller(request: FastifyRequest, operation: Operation, caller: Caller): MaybePromise<Caller> {
    return chain(this.#decide(caller, operation), (decision) => {
      request.rate = decision;
      if (!decision.allowed) throw rateLimited(decision);
      return caller;
    });
  }

  /** Before the body is read: the account of an agent access token. */
  async admitAgent(request: FastifyRequest, operation: Operation): Promise<Scope> {
    const token = tokenOf(request.headers.authorization);
    const { agents } = this.#deps;
    const access = token === undefined ? undefined : await agents.accessOf(token);
    if (access) {
      request.rate = this.#unusedLimit(undefined);
      const { tokens = ['agent'] } = operation.route.declaration;
      if (!tokens.includes(access.purpose)) throw wrongPurpose(access.purpose, tokens);
      request.successor = access.successor;
      return access.scope;
    }
    const known = token === undefined ? undefined : await agents.formerOf?.(token);
    return this.#refuse(request, operation, { kind: 'agent_token', token, known });
  }

  /** For an operation that checks a credential itself: counts successful and failed sign-ins. */
  attempt(request: FastifyRequest, { functionality }: Operation): Attempt {
    const { failures } = this.#deps;
    return {
      beginPassword: (email, isFamiliar) => {
        if (request.exhausted) throw request.exhausted;
        const wait = failures.waitForPassword(email, request.ip, isFamiliar);
        if (wait === 0) return;
        failures.countThrottled('password');
        throw tooManyFailures('password', wait);
      },
      accept: async (owner, key) => {
        if (key) failures.succeeded(key.keyId, request.ip);
        request.exhausted = undefined;
        const decision = await this.#take(functionality, owner, key?.limit);
        request.rate = decision;
        if (!decision.allowed) throw rateLimited(decision);
      },
      reject: (kind, refusal, credential) => {
        if (!credential) {
          failures.countMissing(kind);
          throw refusal;
        }
        const wait = failures.record({ kind, address: request.ip, ...credential });
        throw wait > 0 ? tooManyFailures(kind, wait) : refusal;
      },
    };
  }

  /** For a request that could not be parsed: the state of its rate limit, and an error if that is exceeded. */
  admitMalformed(address: string): { rate: Decision; refusal: Refusal | undefined } {
    const rate = this.#takeForAddress(address, 'unreadable');
    return { rate, refusal: rate.allowed ? undefined : rateLimited(rate) };
  }

  #admitPublic(request: FastifyRequest, operation: Operation | undefined): void {
    const rate = operation?.route.declaration.rate;
    if (rate === 'exempt' || rate === 'monitor') {
      this.#admitMonitor(request, rate);
      return;
    }
    const decision = this.#takeForAddress(request.ip, operation?.functionality ?? 'unknown path');
    request.rate = decision;
    const refusal = operation?.route.declaration.startsSession
      ? this.#deps.origin.signInRefusal(request)
      : undefined;
    if (refusal) throw decision.allowed ? refusal : rateLimited(decision);
    if (decision.allowed) return;
    // Rejected only if the credential is invalid: other clients behind the same address must be able to sign in.
    if (rate === 'credential') request.exhausted = rateLimited(decision);
    else throw rateLimited(decision);
  }

  #admitMonitor(request: FastifyRequest, rate: 'exempt' | 'monitor'): void {
    const { limit, addresses } = this.#deps;
    const unused = this.#unusedLimit(undefined);
    const isAllowed = rate === 'exempt' || limit === 'off' || addresses.takeAsMonitor(request.ip);
    request.rate = isAllowed ? unused : { ...unused, remaining: 0, reset: 1 };
    if (isAllowed) return;
    throw new Refusal('RATE_LIMITED', 'Too many requests from this address: send at most one per second.');
  }

  /** Unauthenticated requests count against the address, even for operations that are exempt for callers. */
  #refuse(
    request: FastifyRequest,
    { functionality }: Operation,
    {
      kind,
      token,
      known,
    }: { kind: TokenKind; token: string | undefined; known?: FormerCredential | undefined },
  ): never {
    const { failures } = this.#deps;
    if (token === undefined) failures.countMissing(kind);
    else failures.record({ kind, address: request.ip, known });
    const decision = this.#takeForAddress(request.ip, functionality);
    request.rate = decision;
    // A token that was valid once is not a guess: the client must get 401 to renew it, whatever its address sends otherwise.
    throw decision.allowed || known
      ? unauthenticated(kind, token !== undefined, known?.message)
      : rateLimited(decision);
  }

  #decide({ rateLimit, rateOwner }: Caller, { route, functionality }: Operation): MaybePromise<Decision> {
    if (route.declaration.rate === 'exempt') return this.#unusedLimit(rateLimit);
    return this.#take(functionality, rateOwner, rateLimit);
  }

  #take(functionality: string, owner: string, ownLimit: number | undefined): MaybePromise<Decision> {
    const limit = ownLimit ?? this.#deps.limit;
    return limit === 'off' ? unlimited : this.#deps.limiter.take(functionality, owner, limit);
  }

  #takeForAddress(address: string, functionality: string): Decision {
    const { limit, addresses } = this.#deps;
    return limit === 'off' ? unlimited : addresses.take(functionality, address, limit);
  }

  #unusedLimit(ownLimit: number | undefined): Decision {
    const limit = ownLimit ?? this.#deps.limit;
    return limit === 'off' ? unlimited : { allowed: true, limit, remaining: limit, reset: 0 };
  }
}

/** The account or organization that the request addresses, from its headers and the caller's roles. */
export function scopeFor(
  request: FastifyRequest,
  caller: Caller,
  access: Access,
  isOrgOperation: boolean,
): Scope {
  const accountName = (request.headers['account-name'] as string | undefined) || undefined;
  return chooseScope(caller, { accountName, orgAccess: readOrgAccess(request) }, access, isOrgOperation);
}

/** One client sends the bare token, the others send `Bearer <token>`. */
export function tokenOf(header: string | undefined): string | undefined {
  if (header?.startsWith('Bearer _')) return header.slice(7);
  return header?.replace(/^bearer\s+/i, '').trim() || undefined;
}

function readOrgAccess(request: FastifyRequest): boolean {
  const header = request.headers['org-access'] as string | undefined;
  if (header === undefined) return false;
  const value = header.trim().toLowerCase();
  if (value !== '' && value !== 'true' && value !== 'false') {
    throw new Refusal('INVALID_INPUT', 'The header Org-Access must be true or false.');
  }
  return value === 'true';
}

type TokenKind = 'access_token' | 'agent_token' | 'session';

const unauthenticatedMessages: Readonly<Record<TokenKind, { missing: string; invalid: string }>> = {
  access_token: {
    missing: 'An access token is required: send the header Authorization: Bearer <token>.',
    invalid:
      'The access token is wrong, expired or revoked: request a new one from POST /api/v2/access/tokens.',
  },
  agent_token: {
    missing: 'An agent access token is required: send the header Authorization: Bearer <token>.',
    invalid: 'The agent access token is wrong or disabled: create or enable one with AgentAccessTokens.',
  },
  session: {
    missing: 'You are not signed in to the console: sign in.',
    invalid: 'The session has ended: sign in again.',
  },
};

function unauthenticated(kind: TokenKind, hasToken: boolean, message?: string): Refusal {
  const { missing, invalid } = unauthenticatedMessages[kind];
  return new Refusal('UNAUTHENTICATED', message ?? (hasToken ? invalid : missing));
}

function tooManyFailures(kind: CredentialKind, seconds: number): Refusal {
  const guesses =
    kind === 'password' ? 'passwords for this user' : 'secrets for this keyId from this address';
  return new Refusal('RATE_LIMITED', `Too many wrong ${guesses}: try again in ${seconds} seconds.`);
}

/** Without Retry-After: one client would sleep for that long and then repeat the request. */
function rateLimited({ limit, reset }: Decision): Refusal {
  return new Refusal(
    'RATE_LIMITED',
    `The limit of ${limit} requests per hour for this operation is exceeded: try again in ${reset} seconds.`,
  );
}

const purposeNames: Readonly<Record<TokenPurpose, string>> = {
  agent: 'a host agent',
  collector: 'a collector',
};

function wrongPurpose(purpose: TokenPurpose, allowed: readonly TokenPurpose[]): Refusal {
  const needed = allowed.map((one) => purposeNames[one]).join(' or ');
  return new Refusal(
    'FORBIDDEN',
    `The token was made for ${purposeNames[purpose]}: use one that was made for ${needed}.`,
  );
}

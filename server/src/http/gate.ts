import type { FastifyRequest } from 'fastify';
import type { Caller } from '../identity/caller.ts';
import type { Callers } from '../identity/callers.ts';
import { type Access, chooseScope, type Scope } from '../identity/scope.ts';
import type { KnownCredential, SignInFailures } from '../identity/sign-in-failures.ts';
import { Refusal } from '../platform/errors.ts';
import type { Attempt } from './attempt.ts';
import type { Operation } from './operation.ts';
import type { AddressLimiter } from './rate/address-limiter.ts';
import type { Limiter } from './rate/limiter.ts';
import type { Decision } from './rate/sliding-window.ts';

const unlimited: Decision = { allowed: true, limit: 2_147_483_647, remaining: 2_147_483_647, reset: 0 };

/** At once for a caller that is already known, which is nearly always; a promise only where a store is asked. */
export type MaybePromise<Value> = Value | Promise<Value>;

function then<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Who tells which account the token of an agent belongs to; undefined for one that is wrong or disabled. */
export interface Agents {
  scopeOf(token: string): Promise<Scope | undefined>;
  /** What the audit log calls a token that is known and disabled. */
  disabledOf?(token: string): Promise<KnownCredential | undefined>;
}

export interface GateDeps {
  readonly callers: Callers;
  readonly agents: Agents;
  /** Of users and keys. */
  readonly limiter: Limiter;
  readonly addresses: AddressLimiter;
  readonly failures: SignInFailures;
  readonly limit: number | 'off';
}

/** Lets a request in or not: who is it, has it tokens left, and may it do this here. */
export class Gate {
  readonly #deps: GateDeps;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /** Before the body is read: identifies the caller and takes one token of the bucket. Unknown paths count too. */
  admit(request: FastifyRequest, operation: Operation | undefined): MaybePromise<Caller | undefined> {
    if (operation === undefined || operation.route.declaration.access === 'public') {
      this.#admitPublic(request, operation);
      return undefined;
    }
    const token = tokenOf(request.headers.authorization);
    return then(token ? this.#deps.callers.byToken(token) : undefined, (caller) =>
      caller
        ? then(this.#decide(caller, operation), (decision) => {
            request.rate = decision;
            if (!decision.allowed) throw rateLimited(decision);
            return caller;
          })
        : then(token ? this.#deps.callers.uselessOf(token) : undefined, (known) =>
            this.#refuse(request, operation, { kind: 'access_token', token, known }),
          ),
    );
  }

  /** Before the body is read, too: the account that the token of an agent belongs to. */
  async admitAgent(request: FastifyRequest, operation: Operation): Promise<Scope> {
    const token = tokenOf(request.headers.authorization);
    const { agents } = this.#deps;
    const scope = token === undefined ? undefined : await agents.scopeOf(token);
    if (scope) {
      request.rate = this.#full(undefined);
      return scope;
    }
    const known = token === undefined ? undefined : await agents.disabledOf?.(token);
    return this.#refuse(request, operation, { kind: 'agent_token', token, known });
  }

  /** For an operation that takes a credential of its own: counts whoever signs in, and those who fail to. */
  attempt(request: FastifyRequest, { functionality }: Operation): Attempt {
    const { failures } = this.#deps;
    return {
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
        throw wait > 0 ? tooManyWrong(wait) : refusal;
      },
    };
  }

  /** For a request that could not even be read: what is left of its limit, and a refusal when there were too many. */
  admitMalformed(address: string): { rate: Decision; refusal: Refusal | undefined } {
    const rate = this.#takeOf(address, 'unreadable');
    return { rate, refusal: rate.allowed ? undefined : rateLimited(rate) };
  }

  #admitPublic(request: FastifyRequest, operation: Operation | undefined): void {
    const rate = operation?.route.declaration.rate;
    if (rate === 'exempt' || rate === 'monitor') {
      this.#admitMonitor(request, rate);
      return;
    }
    const decision = this.#takeOf(request.ip, operation?.functionality ?? 'unknown path');
    request.rate = decision;
    if (decision.allowed) return;
    // Refused only if the credential is wrong: others behind the same address must be able to sign in.
    if (rate === 'credential') request.exhausted = rateLimited(decision);
    else throw rateLimited(decision);
  }

  #admitMonitor(request: FastifyRequest, rate: 'exempt' | 'monitor'): void {
    const { limit, addresses } = this.#deps;
    const full = this.#full(undefined);
    const isAllowed = rate === 'exempt' || limit === 'off' || addresses.takeAsMonitor(request.ip);
    request.rate = isAllowed ? full : { ...full, remaining: 0, reset: 1 };
    if (isAllowed) return;
    throw new Refusal('RATE_LIMITED', 'Too many requests from this address: send at most one per second.');
  }

  /** Nobody known: the address counts, also where callers are exempt. */
  #refuse(
    request: FastifyRequest,
    { functionality }: Operation,
    {
      kind,
      token,
      known,
    }: { kind: TokenKind; token: string | undefined; known?: KnownCredential | undefined },
  ): never {
    const { failures } = this.#deps;
    if (token === undefined) failures.countMissing(kind);
    else failures.record({ kind, address: request.ip, known });
    const decision = this.#takeOf(request.ip, functionality);
    request.rate = decision;
    // A token that was valid once is no guess: its client must learn that it needs a new one, whoever shares its address.
    throw decision.allowed || known ? unauthenticated(kind, token !== undefined) : rateLimited(decision);
  }

  /** A key with its own limit has its own buckets. */
  #decide({ rateLimit, userId, keyId }: Caller, { route, functionality }: Operation): MaybePromise<Decision> {
    if (route.declaration.rate === 'exempt') return this.#full(rateLimit);
    return this.#take(functionality, rateLimit === undefined ? userId : keyId, rateLimit);
  }

  #take(functionality: string, owner: string, ownLimit: number | undefined): MaybePromise<Decision> {
    const limit = ownLimit ?? this.#deps.limit;
    return limit === 'off' ? unlimited : this.#deps.limiter.take(functionality, owner, limit);
  }

  #takeOf(address: string, functionality: string): Decision {
    const { limit, addresses } = this.#deps;
    return limit === 'off' ? unlimited : addresses.take(functionality, address, limit);
  }

  #full(ownLimit: number | undefined): Decision {
    const limit = ownLimit ?? this.#deps.limit;
    return limit === 'off' ? unlimited : { allowed: true, limit, remaining: limit, reset: 0 };
  }
}

/** Whose data the request is about, by its headers and the caller's role. */
export function scopeFor(
  request: FastifyRequest,
  caller: Caller,
  access: Access,
  isOrgOperation: boolean,
): Scope {
  const accountName = (request.headers['account-name'] as string | undefined) || undefined;
  return chooseScope(caller, { accountName, orgAccess: readOrgAccess(request) }, access, isOrgOperation);
}

/** Both forms occur: one client sends the bare token, the others put the word Bearer in front. */
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

type TokenKind = 'access_token' | 'agent_token';

const unauthenticatedWords: Readonly<Record<TokenKind, { missing: string; wrong: string }>> = {
  access_token: {
    missing: 'An access token is required: send the header Authorization: Bearer <token>.',
    wrong:
      'The access token is wrong, expired or revoked: request a new one from POST /api/v2/access/tokens.',
  },
  agent_token: {
    missing: 'An agent access token is required: send the header Authorization: Bearer <token>.',
    wrong: 'The agent access token is wrong or disabled: create or enable one with AgentAccessTokens.',
  },
};

function unauthenticated(kind: TokenKind, hasToken: boolean): Refusal {
  const { missing, wrong } = unauthenticatedWords[kind];
  return new Refusal('UNAUTHENTICATED', hasToken ? wrong : missing);
}

function tooManyWrong(seconds: number): Refusal {
  return new Refusal(
    'RATE_LIMITED',
    `Too many wrong secrets for this keyId from this address: try again in ${seconds} seconds.`,
  );
}

/** No Retry-After: one client would sleep that long and repeat the request. */
function rateLimited({ limit, reset }: Decision): Refusal {
  return new Refusal(
    'RATE_LIMITED',
    `The limit of ${limit} requests per hour for this operation is exceeded: try again in ${reset} seconds.`,
  );
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../identity/caller.ts';
import type { Callers } from '../identity/callers.ts';
import { type Access, chooseScope, type Scope } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import type { Operation } from './operation.ts';
import type { Limiter } from './rate/limiter.ts';
import type { Decision } from './rate/window.ts';

const unlimited: Decision = { allowed: true, limit: 2_147_483_647, remaining: 2_147_483_647, reset: 0 };

/** At once for a caller that is already known, which is nearly always; a promise only where a store is asked. */
export type Soon<Value> = Value | Promise<Value>;

function then<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Who tells which account the token of an agent belongs to; undefined for one that is wrong or disabled. */
export interface Agents {
  scopeOf(token: string): Promise<Scope | undefined>;
}

/** Lets a request in or not: who is it, has it tokens left, and may it do this here. */
export class Gate {
  readonly #callers: Callers;
  readonly #agents: Agents;
  readonly #limiter: Limiter;
  readonly #limit: number | 'off';

  constructor(callers: Callers, agents: Agents, limiter: Limiter, limit: number | 'off') {
    this.#callers = callers;
    this.#agents = agents;
    this.#limiter = limiter;
    this.#limit = limit;
  }

  /** Before the body is read: identifies the caller and takes one token of the bucket. Unknown paths count too. */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation | undefined,
  ): Soon<Caller | undefined> {
    const isPublic = operation === undefined || operation.route.declaration.access === 'public';
    const token = isPublic ? undefined : tokenOf(request.headers.authorization);
    return then(token ? this.#callers.byToken(token) : undefined, (caller) =>
      then(this.#decide(request, caller, operation), (decision) => {
        setRateHeaders(reply, decision);
        if (!decision.allowed) throw rateLimited(decision);
        if (!isPublic && !caller) throw unauthenticated(token !== undefined);
        return caller;
      }),
    );
  }

  /** Before the body is read, too: the account that the token of an agent belongs to. */
  async admitAgent(request: FastifyRequest, reply: FastifyReply, operation: Operation): Promise<Scope> {
    const decision = await this.#decide(request, undefined, operation);
    setRateHeaders(reply, decision);
    if (!decision.allowed) throw rateLimited(decision);
    const token = tokenOf(request.headers.authorization);
    const scope = token === undefined ? undefined : await this.#agents.scopeOf(token);
    if (scope) return scope;
    throw new Refusal(
      'UNAUTHENTICATED',
      token === undefined
        ? 'The token of an agent is required: send the header Authorization: Bearer <token>.'
        : 'The token of the agent is wrong or disabled: create or enable one under AgentAccessTokens.',
    );
  }

  /** The rate headers for a request that could not even be read. */
  async headersFor(address: string): Promise<Record<string, string>> {
    const { limit, remaining, reset } = await this.#take('unreadable', address, undefined);
    return {
      'RateLimit-Limit': `${limit}`,
      'RateLimit-Remaining': `${remaining}`,
      'RateLimit-Reset': `${reset}`,
    };
  }

  #decide(
    request: FastifyRequest,
    caller: Caller | undefined,
    operation: Operation | undefined,
  ): Soon<Decision> {
    const ownLimit = caller?.rateLimit;
    if (operation?.route.declaration.rate === 'exempt') return this.#full(ownLimit);
    // A key with its own limit has its own buckets; without a known user the address counts.
    const owner = !caller ? request.ip : ownLimit === undefined ? caller.userId : caller.keyId;
    return this.#take(operation?.functionality ?? 'unknown path', owner, ownLimit);
  }

  #take(functionality: string, owner: string, ownLimit: number | undefined): Soon<Decision> {
    const limit = ownLimit ?? this.#limit;
    return limit === 'off' ? unlimited : this.#limiter.take(functionality, owner, limit);
  }

  #full(ownLimit: number | undefined): Decision {
    const limit = ownLimit ?? this.#limit;
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

function setRateHeaders(reply: FastifyReply, { limit, remaining, reset }: Decision): void {
  reply
    .header('ratelimit-limit', limit)
    .header('ratelimit-remaining', remaining)
    .header('ratelimit-reset', reset);
}

function unauthenticated(hasToken: boolean): Refusal {
  return new Refusal(
    'UNAUTHENTICATED',
    hasToken
      ? 'The access token is wrong, expired or revoked: request a new one from POST /api/v2/access/tokens.'
      : 'An access token is required: send the header Authorization: Bearer <token>.',
  );
}

/** No Retry-After: one client would sleep that long and repeat the request. */
function rateLimited({ limit, reset }: Decision): Refusal {
  return new Refusal(
    'RATE_LIMITED',
    `The limit of ${limit} requests per hour for this operation is used up: try again in ${reset} seconds.`,
  );
}

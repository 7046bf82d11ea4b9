import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../identity/caller.ts';
import type { Callers } from '../identity/callers.ts';
import { type Access, chooseScope, type Scope } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import type { Operation } from './operation.ts';
import type { Limiter } from './rate/limiter.ts';
import type { Decision } from './rate/window.ts';

const unlimited: Decision = { allowed: true, limit: 2_147_483_647, remaining: 2_147_483_647, reset: 0 };

/** Lets a request in or not: who is it, has it tokens left, and may it do this here. */
export class Gate {
  readonly #callers: Callers;
  readonly #limiter: Limiter;
  readonly #limit: number | 'off';

  constructor(callers: Callers, limiter: Limiter, limit: number | 'off') {
    this.#callers = callers;
    this.#limiter = limiter;
    this.#limit = limit;
  }

  /** Before the body is read: identifies the caller and takes one token of the bucket. Unknown paths count too. */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation | undefined,
  ): Promise<Caller | undefined> {
    const declaration = operation?.route.declaration;
    const isPublic = declaration === undefined || declaration.access === 'public';
    const token = isPublic ? undefined : tokenOf(request.headers.authorization);
    const caller = token ? await this.#callers.byToken(token) : undefined;
    const functionality = operation?.functionality ?? 'unknown path';
    const decision =
      declaration?.rate === 'exempt' ? this.#full(caller) : await this.#take(request, caller, functionality);
    setRateHeaders(reply, decision);
    if (!decision.allowed) throw rateLimited(decision);
    if (!isPublic && !caller) {
      throw new Refusal(
        'UNAUTHENTICATED',
        token
          ? 'The access token is wrong, expired or revoked: request a new one from POST /api/v2/access/tokens.'
          : 'An access token is required: send the header Authorization: Bearer <token>.',
      );
    }
    return caller;
  }

  /** The rate headers for a request that could not even be read. */
  async headersFor(address: string): Promise<Record<string, string>> {
    const { limit, remaining, reset } = await this.#takeFrom(`address ${address} unreadable`, undefined);
    return {
      'RateLimit-Limit': `${limit}`,
      'RateLimit-Remaining': `${remaining}`,
      'RateLimit-Reset': `${reset}`,
    };
  }

  #full(caller: Caller | undefined): Decision {
    const limit = caller?.rateLimit ?? this.#limit;
    return limit === 'off' ? unlimited : { allowed: true, limit, remaining: limit, reset: 0 };
  }

  #take(request: FastifyRequest, caller: Caller | undefined, functionality: string) {
    const owner = !caller
      ? `address ${request.ip}`
      : caller.rateLimit === undefined
        ? `user ${caller.userId}`
        : `key ${caller.keyId}`;
    return this.#takeFrom(`${owner} ${functionality}`, caller?.rateLimit);
  }

  #takeFrom(bucket: string, ownLimit: number | undefined): Decision | Promise<Decision> {
    const limit = ownLimit ?? this.#limit;
    return limit === 'off' ? unlimited : this.#limiter.take(bucket, limit);
  }
}

/** Whose data the request is about, by its headers and the caller's role. */
export function scopeFor(
  request: FastifyRequest,
  caller: Caller,
  access: Access,
  isOrgOperation: boolean,
): Scope {
  const accountName = request.headers['account-name'];
  const wish = { accountName: (accountName as string) || undefined, orgAccess: readOrgAccess(request) };
  return chooseScope(caller, wish, access, isOrgOperation);
}

/** Both forms occur: one client sends the bare token, the others put the word Bearer in front. */
function tokenOf(header: string | undefined): string | undefined {
  return header?.replace(/^bearer\s+/i, '').trim() || undefined;
}

function readOrgAccess(request: FastifyRequest): boolean {
  const value = (request.headers['org-access'] as string | undefined)?.trim().toLowerCase() ?? '';
  if (value !== '' && value !== 'true' && value !== 'false') {
    throw new Refusal('INVALID_INPUT', 'The header Org-Access must be true or false.');
  }
  return value === 'true';
}

function setRateHeaders(reply: FastifyReply, { limit, remaining, reset }: Decision): void {
  reply
    .header('RateLimit-Limit', limit)
    .header('RateLimit-Remaining', remaining)
    .header('RateLimit-Reset', reset);
}

/** No Retry-After: one client would sleep that long and repeat the request. */
function rateLimited({ limit, reset }: Decision): Refusal {
  return new Refusal(
    'RATE_LIMITED',
    `The limit of ${limit} requests per hour for this operation is used up: try again in ${reset} seconds.`,
  );
}

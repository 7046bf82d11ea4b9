import type { CheckedQuery } from '@vedette/lql/check/checked';
import { Refusal } from '../../platform/errors.ts';
import { maxInlineLength, type QueryLanguage } from '../../querying/language.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import { type ResourcePolicy, resourcePolicyOf } from './evaluated-policy.ts';
import { type Subject, subjectOf } from './subject.ts';

/** A parsed query with its subject. */
export interface PolicyQuery {
  readonly read: ParsedQuery;
  readonly subject: Subject;
  /** How its resources are evaluated; undefined if its rows are all that is known. */
  readonly resources: ResourcePolicy | undefined;
}

/** Accounts whose long queries are parsed concurrently, one per account: requests use the same threads. */
const maxAccounts = 8;

/** Cache of parsed queries, shared by all accounts with the same query. */
export class PolicyQueries {
  readonly #language: Pick<QueryLanguage, 'read' | 'readUserQuery'>;
  #current = new Map<string, PolicyQuery | Error>();
  #previous = new Map<string, PolicyQuery | Error>();
  /** Long queries not yet parsed, by account. */
  #pending = new Map<string, Set<string>>();
  readonly #busy = new Set<string>();
  #hasChanged = false;

  constructor(language: Pick<QueryLanguage, 'read' | 'readUserQuery'>) {
    this.#language = language;
  }

  /** `scope` selects the resources that a built-in policy applies to. */
  read(text: string, scope?: string): PolicyQuery {
    const key = scope === undefined ? text : `${text}\n${scope}`;
    const query = this.#cached(key) ?? this.#readNow(text, scope);
    this.#current.set(key, query);
    if (query instanceof Error) throw query;
    return query;
  }

  /** Whether a long query is not parsed yet. */
  isPending(text: string): boolean {
    return text.length > maxInlineLength && !this.#cached(text);
  }

  /** Starts parsing long queries off the event loop, without waiting for them. */
  prepare(queries: Iterable<readonly [ownerId: string, text: string]>): void {
    this.#pending = new Map();
    for (const [ownerId, text] of queries) {
      if (text.length <= maxInlineLength) continue;
      const cached = this.#cached(text);
      if (cached) this.#current.set(text, cached);
      else this.#pending.set(ownerId, (this.#pending.get(ownerId) ?? new Set()).add(text));
    }
    this.resume();
  }

  /** Retries queries for which no thread was free. */
  resume(): void {
    for (const ownerId of [...this.#pending.keys()]) {
      if (this.#busy.size >= maxAccounts) return;
      if (this.#busy.has(ownerId)) continue;
      this.#busy.add(ownerId);
      void this.#readPending(ownerId).finally(() => this.#busy.delete(ownerId));
    }
  }

  /** Whether a long query was parsed since the last call. */
  takeChanged(): boolean {
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  /** Evicts queries not used since the previous call. */
  evictUnused(): void {
    this.#previous = this.#current;
    this.#current = new Map();
  }

  #cached(text: string): PolicyQuery | Error | undefined {
    return this.#current.get(text) ?? this.#previous.get(text);
  }

  #readNow(text: string, scope: string | undefined): PolicyQuery | Error {
    const isLong = text.length > maxInlineLength;
    // Long queries are parsed off the event loop, without their scopes.
    const parsed = isLong ? this.#cached(text) : undefined;
    if (isLong && !parsed) throw new Refusal('UNAVAILABLE', 'The query is still being parsed.');
    if (parsed instanceof Error) return parsed;
    try {
      const scopeQuery = scope === undefined ? undefined : this.#language.read(scope).query;
      return policyQuery(parsed?.read ?? this.#language.read(text), scopeQuery);
    } catch (error) {
      return error as Error;
    }
  }

  /** Sequentially, until no thread is free: the query and its account then move to the end of the queue. */
  async #readPending(ownerId: string): Promise<void> {
    for (;;) {
      const queries = this.#pending.get(ownerId);
      const [text] = queries ?? [];
      if (!queries || text === undefined) return;
      const query = this.#cached(text) ?? (await this.#readUserQuery(ownerId, text));
      const isTransient = query instanceof Refusal && query.code === 'UNAVAILABLE';
      queries.delete(text);
      if (isTransient) queries.add(text);
      else {
        this.#current.set(text, query);
        this.#hasChanged = true;
      }
      // `prepare` may have replaced the pending queries meanwhile.
      if (this.#pending.get(ownerId) === queries) {
        this.#pending.delete(ownerId);
        if (queries.size > 0) this.#pending.set(ownerId, queries);
      }
      if (isTransient) return;
    }
  }

  #readUserQuery(ownerId: string, text: string): Promise<PolicyQuery | Error> {
    return this.#language.readUserQuery(ownerId, text).then(
      (read) => policyQuery(read, undefined),
      (error: Error) => error,
    );
  }
}

function policyQuery(read: ParsedQuery, scope: CheckedQuery | undefined): PolicyQuery {
  const subject = subjectOf(read);
  const resources = subject.isInventory ? resourcePolicyOf({ query: read.query, scope }) : undefined;
  return { read, subject, resources };
}

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

/** The query of a policy. */
export interface PolicyText {
  readonly text: string;
  /** Whether it comes with the server, so that it takes milliseconds to parse at most. */
  readonly isShipped?: boolean;
  /** Selects the resources that a built-in policy applies to. */
  readonly scope?: string | undefined;
}

/** Accounts whose long queries are parsed concurrently, one per account: requests use the same threads. */
const maxAccounts = 8;

/** Cache of parsed queries, shared by all accounts with the same query. */
export class PolicyQueries {
  readonly #language: Pick<QueryLanguage, 'read' | 'readUserQuery'>;
  #current = new Map<string, PolicyQuery | Error>();
  #previous = new Map<string, PolicyQuery | Error>();
  /** Long queries not yet parsed, by account. */
  #pending = new Map<string, Map<string, PolicyText>>();
  readonly #busy = new Set<string>();
  #hasChanged = false;

  constructor(language: Pick<QueryLanguage, 'read' | 'readUserQuery'>) {
    this.#language = language;
  }

  read(policy: PolicyText): PolicyQuery {
    const key = keyOf(policy);
    let query = this.#cached(key);
    if (!query) {
      if (isLong(policy)) throw new Refusal('UNAVAILABLE', 'The query is still being parsed.');
      query = this.#readInline(policy);
    }
    this.#current.set(key, query);
    if (query instanceof Error) throw query;
    return query;
  }

  /** Whether a long query is not parsed yet. */
  isPending(policy: PolicyText): boolean {
    return isLong(policy) && !this.#cached(keyOf(policy));
  }

  /** Starts parsing long queries off the event loop, without waiting for them. */
  prepare(queries: Iterable<readonly [ownerId: string, policy: PolicyText]>): void {
    this.#pending = new Map();
    for (const [ownerId, policy] of queries) {
      if (!isLong(policy)) continue;
      const key = keyOf(policy);
      const cached = this.#cached(key);
      if (cached) this.#current.set(key, cached);
      else this.#pending.set(ownerId, (this.#pending.get(ownerId) ?? new Map()).set(key, policy));
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

  #cached(key: string): PolicyQuery | Error | undefined {
    return this.#current.get(key) ?? this.#previous.get(key);
  }

  #readInline({ text, scope }: PolicyText): PolicyQuery | Error {
    try {
      const scopeQuery = scope === undefined ? undefined : this.#language.read(scope).query;
      return policyQuery(this.#language.read(text), scopeQuery);
    } catch (error) {
      return error as Error;
    }
  }

  /** Sequentially, until no thread is free: the query and its account then move to the end of the queue. */
  async #readPending(ownerId: string): Promise<void> {
    for (;;) {
      const queries = this.#pending.get(ownerId);
      const [next] = queries ?? [];
      if (!queries || next === undefined) return;
      const [key, policy] = next;
      const query = this.#cached(key) ?? (await this.#readUserQuery(ownerId, policy));
      const isTransient = query instanceof Refusal && query.code === 'UNAVAILABLE';
      queries.delete(key);
      if (isTransient) queries.set(key, policy);
      else {
        this.#current.set(key, query);
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

  async #readUserQuery(ownerId: string, { text }: PolicyText): Promise<PolicyQuery | Error> {
    try {
      return policyQuery(await this.#language.readUserQuery(ownerId, text), undefined);
    } catch (error) {
      return error as Error;
    }
  }
}

const isLong = ({ text, isShipped }: PolicyText) => !isShipped && text.length > maxInlineLength;
const keyOf = ({ text, scope }: PolicyText) => (scope === undefined ? text : `${text}\n${scope}`);

function policyQuery(read: ParsedQuery, scope: CheckedQuery | undefined): PolicyQuery {
  const subject = subjectOf(read);
  const resources = subject.isInventory ? resourcePolicyOf({ query: read.query, scope }) : undefined;
  return { read, subject, resources };
}

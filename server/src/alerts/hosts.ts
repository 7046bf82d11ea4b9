import type { Clock } from '../platform/clock.ts';
import type { QueryLanguage } from '../querying/language.ts';
import type { QueryRunner } from '../querying/runner.ts';
import type { Violation } from './finding.ts';

export interface HostsDeps {
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly clock: Clock;
}

/** The last report of a host about itself. */
export interface Host {
  readonly name: string | undefined;
  readonly tags: Readonly<Record<string, unknown>> | undefined;
}

const hour = 3_600_000;
/**
 * Hosts report hourly and at start. The batch sizes stay within `rowsAtOnce` even if every host reports four times an
 * hour.
 */
const lookBacks = [
  { ago: 3 * hour, hostsAtOnce: 500 },
  { ago: 7 * 24 * hour, hostsAtOnce: 75 },
];
const maxRows = 50_400;
/** Many policies find the same hosts within one round of evaluations. */
const cacheLifetime = 60_000;
const maxCached = 20_000;

/** Looks up the names and tags of hosts: most rows carry only the host id (MID). */
export class Hosts {
  readonly #deps: HostsDeps;
  /** By account and host id; undefined for hosts without a report. */
  #cached = new Map<string, Host | undefined>();
  #cachedSince = 0;

  constructor(deps: HostsDeps) {
    this.#deps = deps;
  }

  /** The hosts of the violations, by host id. */
  async of(account: string, violations: readonly Violation[]): Promise<ReadonlyMap<string, Host>> {
    // Rows of LW_HE_MACHINES already carry both.
    const incomplete = violations.filter(({ row }) => row.TAGS === undefined || row.HOSTNAME === undefined);
    const ids = [...new Set(incomplete.map(hostIdOf))].filter((id) => /^-?\d{1,19}$/.test(id));
    const cached = this.#freshCache();
    const keyOf = (id: string) => `${account} ${id}`;
    const unknown = ids.filter((id) => !cached.has(keyOf(id)));
    const reports = await this.#lookUp(account, unknown);
    for (const id of unknown) cached.set(keyOf(id), reports.get(id));
    return new Map(
      ids.flatMap((id) => {
        const host = cached.get(keyOf(id));
        return host ? [[id, host] as const] : [];
      }),
    );
  }

  #freshCache(): Map<string, Host | undefined> {
    const age = this.#deps.clock.now() - this.#cachedSince;
    if (age >= 0 && age < cacheLifetime && this.#cached.size < maxCached) return this.#cached;
    this.#cachedSince = this.#deps.clock.now();
    this.#cached = new Map();
    return this.#cached;
  }

  async #lookUp(account: string, ids: readonly string[]): Promise<ReadonlyMap<string, Host>> {
    const reports = new Map<string, NewestReport>();
    for (const { ago, hostsAtOnce: batchSize } of lookBacks) {
      const wanted = ids.filter((id) => !reports.get(id)?.name || !reports.get(id)?.tags);
      for (let from = 0; from < wanted.length; from += batchSize) {
        const some = wanted.slice(from, from + batchSize);
        for (const row of await this.#rows(account, some, ago))
          reports.set(row.ID, newer(reports.get(row.ID), row));
      }
    }
    return new Map(
      [...reports].map(([id, { name, tags }]) => [id, { name: name?.value, tags: tags?.value }]),
    );
  }

  async #rows(account: string, ids: readonly string[], ago: number): Promise<HostRow[]> {
    const { language, runner, clock } = this.#deps;
    // Cast to strings: host ids exceed the safe integers of JavaScript.
    const read = language.read(`{ source { LW_HE_MACHINES } filter { MID in (${ids.join(', ')}) }
      return distinct { MID::String as ID, HOSTNAME, TAGS, RECORD_CREATED_TIME::String as AT } }`);
    const now = clock.now();
    const range = { start: now - ago, end: now + 1 };
    const chunks: Uint8Array[] = [];
    for await (const chunk of runner.run(read, { account, range, limit: maxRows })) chunks.push(chunk);
    return JSON.parse(`[${Buffer.concat(chunks).toString()}]`) as HostRow[];
  }
}

interface HostRow {
  readonly ID: string;
  readonly HOSTNAME: string | null;
  readonly TAGS: Readonly<Record<string, unknown>> | null;
  readonly AT: string;
}

interface Timestamped<Value> {
  readonly value: Value;
  readonly at: string;
}

interface NewestReport {
  readonly name: Timestamped<string> | undefined;
  readonly tags: Timestamped<Readonly<Record<string, unknown>>> | undefined;
}

/** A report without tags keeps the tags of an earlier one. */
function newer(known: NewestReport | undefined, { HOSTNAME, TAGS, AT }: HostRow): NewestReport {
  const isNewer = (than: Timestamped<unknown> | undefined) => (than?.at ?? '') <= AT;
  return {
    name: HOSTNAME && isNewer(known?.name) ? { value: HOSTNAME, at: AT } : known?.name,
    tags: TAGS && isNewer(known?.tags) ? { value: TAGS, at: AT } : known?.tags,
  };
}

/** The host id in a row; empty if it has none. */
export function hostIdOf({ row }: Pick<Violation, 'row'>): string {
  return ['string', 'number', 'bigint'].includes(typeof row.MID) ? String(row.MID) : '';
}

import type { Clock } from '../platform/clock.ts';
import type { QueryLanguage } from '../querying/language.ts';
import type { QueryRunner } from '../querying/runner.ts';
import type { Violation } from './finding.ts';

export interface HostsDeps {
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly clock: Clock;
}

/** What a host last reported about itself. */
export interface Host {
  readonly name: string | undefined;
  readonly tags: Readonly<Record<string, unknown>> | undefined;
}

const hour = 3_600_000;
/**
 * Hosts report about themselves every hour, and at least when they start. Of so many all is read even where each reports
 * every quarter of an hour.
 */
const lookBacks = [
  { ago: 3 * hour, hostsAtOnce: 500 },
  { ago: 7 * 24 * hour, hostsAtOnce: 75 },
];
const rowsAtOnce = 50_400;
/** Cached for so long: many policies find the same hosts. */
const cachedFor = 60_000;
const mostCached = 20_000;

/** Most rows have the id of a host only (MID); people know hosts by name and choose them by tags. */
export class Hosts {
  readonly #deps: HostsDeps;
  /** By account and id; undefined for hosts that reported nothing. */
  #cached = new Map<string, Host | undefined>();
  #cachedSince = 0;

  constructor(deps: HostsDeps) {
    this.#deps = deps;
  }

  /** The hosts of these violations by id, looked up together. */
  async of(account: string, violations: readonly Violation[]): Promise<ReadonlyMap<string, Host>> {
    // Rows about hosts themselves say all of it.
    const silent = violations.filter(({ row }) => row.TAGS === undefined || row.HOSTNAME === undefined);
    const ids = [...new Set(silent.map(hostIdOf))].filter((id) => /^-?\d{1,19}$/.test(id));
    const cached = this.#fresh();
    const keyOf = (id: string) => `${account} ${id}`;
    const unknown = ids.filter((id) => !cached.has(keyOf(id)));
    const found = await this.#look(account, unknown);
    for (const id of unknown) cached.set(keyOf(id), found.get(id));
    return new Map(
      ids.flatMap((id) => {
        const host = cached.get(keyOf(id));
        return host ? [[id, host] as const] : [];
      }),
    );
  }

  #fresh(): Map<string, Host | undefined> {
    const age = this.#deps.clock.now() - this.#cachedSince;
    if (age >= 0 && age < cachedFor && this.#cached.size < mostCached) return this.#cached;
    this.#cachedSince = this.#deps.clock.now();
    this.#cached = new Map();
    return this.#cached;
  }

  async #look(account: string, ids: readonly string[]): Promise<ReadonlyMap<string, Host>> {
    const found = new Map<string, Newest>();
    for (const { ago, hostsAtOnce } of lookBacks) {
      const wanted = ids.filter((id) => !found.get(id)?.name || !found.get(id)?.tags);
      for (let from = 0; from < wanted.length; from += hostsAtOnce) {
        const some = wanted.slice(from, from + hostsAtOnce);
        for (const row of await this.#rows(account, some, ago))
          found.set(row.ID, newer(found.get(row.ID), row));
      }
    }
    return new Map([...found].map(([id, { name, tags }]) => [id, { name: name?.value, tags: tags?.value }]));
  }

  async #rows(account: string, ids: readonly string[], ago: number): Promise<HostRow[]> {
    const { language, runner, clock } = this.#deps;
    // As strings: ids of hosts are longer than numbers of JavaScript.
    const read = language.read(`{ source { LW_HE_MACHINES } filter { MID in (${ids.join(', ')}) }
      return distinct { MID::String as ID, HOSTNAME, TAGS, RECORD_CREATED_TIME::String as AT } }`);
    const now = clock.now();
    const range = { start: now - ago, end: now + 1 };
    const chunks: Uint8Array[] = [];
    for await (const chunk of runner.run(read, { account, range, limit: rowsAtOnce })) chunks.push(chunk);
    return JSON.parse(`[${Buffer.concat(chunks).toString()}]`) as HostRow[];
  }
}

interface HostRow {
  readonly ID: string;
  readonly HOSTNAME: string | null;
  readonly TAGS: Readonly<Record<string, unknown>> | null;
  readonly AT: string;
}

interface Dated<Value> {
  readonly value: Value;
  readonly at: string;
}

interface Newest {
  readonly name: Dated<string> | undefined;
  readonly tags: Dated<Readonly<Record<string, unknown>>> | undefined;
}

/** A report without tags leaves the tags of an older one in place. */
function newer(known: Newest | undefined, { HOSTNAME, TAGS, AT }: HostRow): Newest {
  const isNewer = (than: Dated<unknown> | undefined) => (than?.at ?? '') <= AT;
  return {
    name: HOSTNAME && isNewer(known?.name) ? { value: HOSTNAME, at: AT } : known?.name,
    tags: TAGS && isNewer(known?.tags) ? { value: TAGS, at: AT } : known?.tags,
  };
}

/** The id of the host that a row names; empty when it names none. */
export function hostIdOf({ row }: Pick<Violation, 'row'>): string {
  return ['string', 'number', 'bigint'].includes(typeof row.MID) ? String(row.MID) : '';
}

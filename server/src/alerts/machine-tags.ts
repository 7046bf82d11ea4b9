import type { Clock } from '../platform/clock.ts';
import type { QueryLanguage } from '../querying/language.ts';
import type { QueryRunner } from '../querying/runner.ts';
import type { Violation } from './finding.ts';

export interface MachineTagsParts {
  readonly language: QueryLanguage;
  readonly runner: QueryRunner;
  readonly clock: Clock;
}

type Tags = Readonly<Record<string, unknown>>;

const hour = 3_600_000;
/**
 * Machines tell about themselves every hour, and at least when they start. Of so many all is read even where each tells it
 * every quarter of an hour.
 */
const lookBacks = [
  { ago: 3 * hour, machinesAtOnce: 500 },
  { ago: 7 * 24 * hour, machinesAtOnce: 75 },
];
const rowsAtOnce = 50_400;
/** What was looked up is known for so long: many policies find the same machines. */
const knownFor = 60_000;
const mostKnown = 20_000;

/** Most rows name a machine by its number only; people choose machines by tags. */
export class MachineTags {
  readonly #parts: MachineTagsParts;
  /** By account and number; also of machines that told none. */
  #known = new Map<string, Tags | undefined>();
  #knownSince = 0;

  constructor(parts: MachineTagsParts) {
    this.#parts = parts;
  }

  /** The newest tags of the machines that these name without them, by number. */
  async of(account: string, violations: readonly Violation[]): Promise<ReadonlyMap<string, Tags>> {
    const numbers = new Set(violations.filter(({ row }) => row.TAGS === undefined).map(machineOf));
    const named = [...numbers].filter((number) => /^-?\d{1,19}$/.test(number));
    const known = this.#remembered();
    const keyOf = (number: string) => `${account} ${number}`;
    const unknown = named.filter((number) => !known.has(keyOf(number)));
    const found = await this.#look(account, unknown);
    for (const number of unknown) known.set(keyOf(number), found.get(number));
    return new Map(
      named.flatMap((number) => {
        const tags = known.get(keyOf(number));
        return tags ? [[number, tags] as const] : [];
      }),
    );
  }

  #remembered(): Map<string, Tags | undefined> {
    const age = this.#parts.clock.now() - this.#knownSince;
    if (age >= 0 && age < knownFor && this.#known.size < mostKnown) return this.#known;
    this.#knownSince = this.#parts.clock.now();
    this.#known = new Map();
    return this.#known;
  }

  async #look(account: string, named: readonly string[]): Promise<ReadonlyMap<string, Tags>> {
    const found = new Map<string, { tags: Tags; at: string }>();
    for (const { ago, machinesAtOnce } of lookBacks) {
      const wanted = named.filter((number) => !found.has(number));
      for (let from = 0; from < wanted.length; from += machinesAtOnce) {
        const some = wanted.slice(from, from + machinesAtOnce);
        for (const { MACHINE, TAGS, AT } of await this.#rows(account, some, ago)) {
          if ((found.get(MACHINE)?.at ?? '') <= AT) found.set(MACHINE, { tags: TAGS, at: AT });
        }
      }
    }
    return new Map([...found].map(([number, { tags }]) => [number, tags]));
  }

  async #rows(account: string, numbers: readonly string[], ago: number) {
    const { language, runner, clock } = this.#parts;
    // As text, for numbers of machines are longer than those of JavaScript.
    const read =
      language.read(`{ source { LW_HE_MACHINES } filter { MID in (${numbers.join(', ')}) and TAGS is not null }
      return distinct { MID::String as MACHINE, TAGS, RECORD_CREATED_TIME::String as AT } }`);
    const now = clock.now();
    const range = { start: now - ago, end: now + 1 };
    const pieces: Uint8Array[] = [];
    for await (const piece of runner.run(read, { account, range, limit: rowsAtOnce })) pieces.push(piece);
    return JSON.parse(`[${Buffer.concat(pieces).toString()}]`) as {
      MACHINE: string;
      TAGS: Tags;
      AT: string;
    }[];
  }
}

/** The number of the machine that a row names; empty when it names none. */
export function machineOf({ row }: Violation): string {
  return ['string', 'number', 'bigint'].includes(typeof row.MID) ? String(row.MID) : '';
}

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

/** Most rows name a machine by its number only; people choose machines by tags. */
export class MachineTags {
  readonly #parts: MachineTagsParts;

  constructor(parts: MachineTagsParts) {
    this.#parts = parts;
  }

  /** The newest tags of the machines that these name without them, by number. */
  async of(account: string, violations: readonly Violation[]): Promise<ReadonlyMap<string, Tags>> {
    const numbers = new Set(violations.filter(({ row }) => row.TAGS === undefined).map(machineOf));
    const named = [...numbers].filter((number) => /^-?\d{1,19}$/.test(number));
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

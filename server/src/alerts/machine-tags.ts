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

/** Machines tell about themselves every hour, and at least when they start. */
const longestAgo = 7 * 86_400_000;
/** All of it is read even where each tells so every quarter of an hour. */
const machinesAtOnce = 100;
const rowsAtOnce = 67_200;

/** Most rows name a machine by its number only; people choose machines by tags. */
export class MachineTags {
  readonly #parts: MachineTagsParts;

  constructor(parts: MachineTagsParts) {
    this.#parts = parts;
  }

  /** The newest tags of the machines that these name without them, by number. */
  async of(account: string, violations: readonly Violation[]): Promise<ReadonlyMap<string, Tags>> {
    const numbers = new Set(violations.filter(({ row }) => row.TAGS === undefined).map(machineOf));
    const wanted = [...numbers].filter((number) => /^-?\d{1,19}$/.test(number));
    const found = new Map<string, { tags: Tags; at: string }>();
    for (let from = 0; from < wanted.length; from += machinesAtOnce) {
      for (const { MACHINE, TAGS, AT } of await this.#rows(
        account,
        wanted.slice(from, from + machinesAtOnce),
      )) {
        if ((found.get(MACHINE)?.at ?? '') <= AT) found.set(MACHINE, { tags: TAGS, at: AT });
      }
    }
    return new Map([...found].map(([number, { tags }]) => [number, tags]));
  }

  async #rows(account: string, numbers: readonly string[]) {
    const { language, runner, clock } = this.#parts;
    // As text, for numbers of machines are longer than those of JavaScript.
    const read =
      language.read(`{ source { LW_HE_MACHINES } filter { MID in (${numbers.join(', ')}) and TAGS is not null }
      return distinct { MID::String as MACHINE, TAGS, RECORD_CREATED_TIME::String as AT } }`);
    const now = clock.now();
    const range = { start: now - longestAgo, end: now + 1 };
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

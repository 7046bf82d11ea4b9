import { parseInstant } from '../platform/instant.ts';
import type { Derivation, TelemetryDataset } from './dataset.ts';
import type { HourSource } from './datasource.ts';

/** Records that follow from those of a batch. */
export interface Derived {
  readonly dataset: TelemetryDataset;
  readonly records: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

const hourLength = 3_600_000;

/** Finds out what follows from the records of one batch, each of which has been checked. */
export class Deriving {
  readonly #found: readonly { readonly derivation: Derivation; readonly texts: Map<string, string> }[];

  constructor({ derives = [] }: TelemetryDataset) {
    this.#found = derives.map((derivation) => ({ derivation, texts: new Map() }));
  }

  add(record: Values): void {
    for (const { derivation, texts } of this.#found) {
      const following = follow(derivation, record);
      if (!following) continue;
      const key = keyOf(derivation, following);
      if (!texts.has(key)) texts.set(key, JSON.stringify(following));
    }
  }

  result(): Derived[] {
    return this.#found.flatMap(({ derivation, texts }) =>
      texts.size > 0 ? [{ dataset: derivation.into, records: [...texts.values()] }] : [],
    );
  }
}

function follow({ members }: Derivation, record: Values): Values | undefined {
  const entries = Object.entries(members).map(([name, source]) => [name, takeFrom(source, record)] as const);
  if (entries.some(([, value]) => value === undefined || value === null)) return undefined;
  return Object.fromEntries(entries);
}

function takeFrom(source: string | HourSource, record: Values): unknown {
  if (typeof source === 'string') return record[source];
  const moment = parseInstant(String(record[source.of]));
  if (moment === undefined) return undefined;
  const start = Math.floor(moment / hourLength) * hourLength;
  return new Date(source.hour === 'start' ? start : start + hourLength).toISOString();
}

/** What tells it from others: when, and which. */
function keyOf({ into: { range, identity } }: Derivation, following: Values): string {
  const moment = range.by === 'instant' ? range.member : 'startTime';
  return JSON.stringify([moment, ...identity].map((name) => following[name]));
}

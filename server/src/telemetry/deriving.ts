import { parseInstant } from '../platform/instant.ts';
import type { Derivation, TelemetryDataset } from './dataset.ts';
import type { HourSource } from './datasource.ts';

/** Records that follow from those of a batch. */
export interface Derived {
  readonly dataset: TelemetryDataset;
  readonly records: readonly string[];
  /** The earliest of their moments. */
  readonly since: number;
}

interface Found {
  readonly derivation: Derivation;
  /** By when and which. */
  readonly texts: Map<string, string>;
  since: number;
}

type Values = Readonly<Record<string, unknown>>;

const hourLength = 3_600_000;

/** Finds out what follows from the records of one batch, each of which has been checked. */
export class Deriving {
  readonly #found: readonly Found[];

  constructor({ derives = [] }: TelemetryDataset) {
    this.#found = derives.map((derivation) => ({ derivation, texts: new Map(), since: Infinity }));
  }

  add(record: Values): void {
    for (const found of this.#found) {
      const following = follow(found.derivation, record);
      if (!following) continue;
      const { into } = found.derivation;
      const instant = String(following[into.range.by === 'instant' ? into.range.member : 'startTime']);
      const key = JSON.stringify([instant, ...into.identity.map((name) => following[name])]);
      if (found.texts.has(key)) continue;
      found.texts.set(key, JSON.stringify(following));
      found.since = Math.min(found.since, parseInstant(instant) ?? found.since);
    }
  }

  result(): Derived[] {
    return this.#found.flatMap(({ derivation: { into }, texts, since }) =>
      texts.size > 0 ? [{ dataset: into, records: [...texts.values()], since }] : [],
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
  const instant = parseInstant(String(record[source.of]));
  if (instant === undefined) return undefined;
  const start = Math.floor(instant / hourLength) * hourLength;
  return new Date(source.hour === 'start' ? start : start + hourLength).toISOString();
}

import { parseInstant } from '../platform/instant.ts';
import type { Derivation, TelemetryDataset } from './dataset.ts';
import type { HourSource } from './datasource.ts';

/** Records derived from those of a batch. */
export interface Derived {
  readonly dataset: TelemetryDataset;
  readonly records: readonly string[];
  /** Their earliest timestamp. */
  readonly since: number;
}

interface Collected {
  readonly derivation: Derivation;
  /** By timestamp and identity. */
  readonly records: Map<string, string>;
  since: number;
}

type Values = Readonly<Record<string, unknown>>;

const millisecondsPerHour = 3_600_000;

/** Derives records from the validated records of one batch. */
export class Deriver {
  readonly #collected: readonly Collected[];

  constructor({ derives = [] }: TelemetryDataset) {
    this.#collected = derives.map((derivation) => ({ derivation, records: new Map(), since: Infinity }));
  }

  add(record: Values): void {
    for (const collected of this.#collected) {
      const derived = derive(collected.derivation, record);
      if (!derived) continue;
      const { into } = collected.derivation;
      const instant = String(derived[into.range.by === 'instant' ? into.range.member : 'startTime']);
      const key = JSON.stringify([instant, ...into.identity.map((name) => derived[name])]);
      if (collected.records.has(key)) continue;
      collected.records.set(key, JSON.stringify(derived));
      collected.since = Math.min(collected.since, parseInstant(instant) ?? collected.since);
    }
  }

  result(): Derived[] {
    return this.#collected.flatMap(({ derivation: { into }, records, since }) =>
      records.size > 0 ? [{ dataset: into, records: [...records.values()], since }] : [],
    );
  }
}

function derive({ members }: Derivation, record: Values): Values | undefined {
  const entries = Object.entries(members).map(([name, source]) => [name, valueFrom(source, record)] as const);
  if (entries.some(([, value]) => value === undefined || value === null)) return undefined;
  return Object.fromEntries(entries);
}

function valueFrom(source: string | HourSource, record: Values): unknown {
  if (typeof source === 'string') return record[source];
  const instant = parseInstant(String(record[source.of]));
  if (instant === undefined) return undefined;
  const start = Math.floor(instant / millisecondsPerHour) * millisecondsPerHour;
  return new Date(source.hour === 'start' ? start : start + millisecondsPerHour).toISOString();
}

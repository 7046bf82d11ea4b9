import type { DatasetPath } from './datasets.ts';
import type { Host } from './host/host.ts';

/** A record without the members that are stamped: `mid` and its times. */
export type Observed = Readonly<Record<string, unknown>>;

/** Something that is missing in a report. */
export interface Gap {
  /** What is missing: `command lines of other users`. */
  readonly what: string;
  /** Why, and what to do. */
  readonly reason: string;
}

export interface Observation {
  readonly records: Readonly<Partial<Record<DatasetPath, readonly Observed[]>>>;
  readonly gaps: readonly Gap[];
  /** JSON: where the next observation goes on. Stored together with the records, so that no event is reported twice. */
  readonly cursor?: unknown;
}

/** A part of the host that is observed at intervals. */
export interface Source<ObservedHost = Host> {
  /** `processes`, `packages`: its name in the configuration and in messages. */
  readonly name: string;
  /** Milliseconds between two observations. */
  readonly interval: number;
  /** The cursor is that of the last stored observation; undefined for the first one. It may be damaged: check it. */
  observe(host: ObservedHost, cursor: unknown): Promise<Observation>;
}

import { compile } from '@vedette/lql/compile/compile';
import { duckdb } from '@vedette/lql/compile/duckdb/duckdb';
import type { ArrivalRange } from '@vedette/lql/compile/tables';
import type { Clock } from '../platform/clock.ts';
import type { TimeRange } from '../search/time-range.ts';
import type { CompileWith, Plan } from '../telemetry/compiled-query.ts';
import type { Lane, Telemetry } from '../telemetry/telemetry.ts';
import type { ParsedQuery } from './read-query.ts';

/** The scope of a run and its row limit. */
export interface Run {
  readonly account: string;
  readonly range: TimeRange;
  /** No limit if omitted. */
  readonly limit?: number;
  /** Restricts the main datasource to records of these batches. */
  readonly arrived?: ArrivalRange;
}

export interface RunnerDeps {
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** The queue: the service's own queries do not delay those of users. */
  readonly lane?: Lane;
}

/** Runs queries on telemetry and resources. */
export class QueryRunner {
  readonly #telemetry: Telemetry;
  readonly #clock: Clock;
  readonly #lane: Lane;

  constructor({ telemetry, clock, lane = 'users' }: RunnerDeps) {
    this.#telemetry = telemetry;
    this.#clock = clock;
    this.#lane = lane;
  }

  /**
   * The rows as JSON separated by commas, in chunks. Queued like a search, with the same time limit; ends when the
   * reader stops or the signal aborts.
   */
  run(read: ParsedQuery, run: Run, abandoned?: AbortSignal) {
    return this.#telemetry.query(run.account, this.#compileWith(read, run), abandoned, this.#lane);
  }

  /** The query plan. */
  explain(read: ParsedQuery, run: Run): Promise<Plan> {
    return this.#telemetry.explain(this.#compileWith(read, run));
  }

  #compileWith({ query }: ParsedQuery, { account, range, limit, arrived }: Run): CompileWith {
    const now = this.#clock.now();
    const bounds = { account, ...range, arrived };
    return (tables) =>
      compile(query, { dialect: duckdb, tables, bounds, now, ...(limit !== undefined && { limit }) });
  }
}

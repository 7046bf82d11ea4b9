import { compile } from '@vedette/lql/compile/compile';
import { duckdb } from '@vedette/lql/compile/duckdb/duckdb';
import type { Arrived } from '@vedette/lql/compile/tables';
import type { Clock } from '../platform/clock.ts';
import type { TimeRange } from '../search/time-range.ts';
import type { CompileWith, Plan } from '../telemetry/compiled-query.ts';
import type { Lane, Telemetry } from '../telemetry/telemetry.ts';
import type { ReadQuery } from './read-query.ts';

/** What a run may see, and how many rows it gives at most. */
export interface Run {
  readonly account: string;
  readonly range: TimeRange;
  /** All rows when left out. */
  readonly limit?: number;
  /** Only what came in these batches, of what the query is about. */
  readonly arrived?: Arrived;
}

export interface RunnerDeps {
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** Who asks: what the service asks for itself takes no turn of people. */
  readonly lane?: Lane;
}

/** Runs queries on what agents and clouds reported. */
export class QueryRunner {
  readonly #telemetry: Telemetry;
  readonly #clock: Clock;
  readonly #lane: Lane;

  constructor({ telemetry, clock, lane = 'people' }: RunnerDeps) {
    this.#telemetry = telemetry;
    this.#clock = clock;
    this.#lane = lane;
  }

  /**
   * The rows as JSON texts with commas between, in pieces. It waits for its turn like a search, has as long, and ends when
   * nobody takes the pieces any more or the signal says so.
   */
  run(read: ReadQuery, run: Run, abandoned?: AbortSignal) {
    return this.#telemetry.query(run.account, this.#compileWith(read, run), abandoned, this.#lane);
  }

  /** What the engine would do for it. */
  explain(read: ReadQuery, run: Run): Promise<Plan> {
    return this.#telemetry.explain(this.#compileWith(read, run));
  }

  #compileWith({ query }: ReadQuery, { account, range, limit, arrived }: Run): CompileWith {
    const now = this.#clock.now();
    const bounds = { account, ...range, arrived };
    return (tables) =>
      compile(query, { dialect: duckdb, tables, bounds, now, ...(limit !== undefined && { limit }) });
  }
}

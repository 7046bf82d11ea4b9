import type { DuckDBConnection } from '@duckdb/node-api';

const retryInterval = 50;

/** Interrupts a connection's statements from the signal's abort until `end`. */
export class Interruption {
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: DuckDBConnection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
    signal.addEventListener('abort', this.#begin, { once: true });
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.#begin);
    clearInterval(this.#timer);
  }

  /** Repeated, because a statement waiting for a thread clears an interruption when it starts. */
  readonly #begin = () => {
    this.#connection.interrupt();
    this.#timer = setInterval(() => this.#connection.interrupt(), retryInterval);
  };
}

/** Waits for work until the signal aborts; the work itself may continue. */
export function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

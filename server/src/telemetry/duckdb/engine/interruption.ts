import type { DuckDBConnection } from '@duckdb/node-api';

const again = 50;

/** Interrupts what a connection does from the moment a signal aborts until its end. */
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

  /** Again and again, because a statement that waits for a thread forgets an interruption when it starts. */
  readonly #begin = () => {
    this.#connection.interrupt();
    this.#timer = setInterval(() => this.#connection.interrupt(), again);
  };
}

/** Waits for work, which may go on, until the signal aborts. */
export function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

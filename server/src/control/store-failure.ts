import { Refusal } from '../platform/errors.ts';
import { isFull, isIoFailure } from '../platform/sqlite-error.ts';

/**
 * Driver errors: those of Node have a code, those of PostgreSQL an SQLSTATE, those of SQLite numbers, some only a
 * message.
 */
interface DriverError {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly systemErrno?: unknown;
  readonly message?: unknown;
}

interface FailureKind {
  /** Message for clients: the problem and the fix, without addresses or internal details. */
  readonly message: string;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number;
  matches(error: DriverError): boolean;
}

const unavailable: FailureKind = {
  message: 'The control store can not be reached or is overloaded: try again in a few seconds.',
  // Enough for a database restart.
  retryAfter: 5,
  matches: ({ code, message }) =>
    unavailableCodes.test(String(code)) || unavailableMessages.test(String(message)),
};

const diskFull: FailureKind = {
  message:
    'The disk of the control store is full and nothing was changed: ask your operator to free some space, then try again.',
  // Enough for an operator to free some space.
  retryAfter: 60,
  matches: (error) => error.code === '53100' || isFull(error),
};

const diskFailed: FailureKind = {
  message:
    'The disk of the control store failed and nothing was changed: ask your operator to look at the log.',
  retryAfter: 60,
  matches: (error) => error.code === '58030' || isIoFailure(error),
};

/**
 * System: connection errors. PostgreSQL: connection exceptions, read-only after a failover, idle-in-transaction
 * timeout, too many connections, out of memory, statement timeout, shutdown, crash, starting up, connection closed.
 */
const unavailableCodes =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|08\w{3}|25006|25P03|53200|53300|57014|57P0[1-35])$/;
const unavailableMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (?:has encountered a connection error|was closed) and is not queryable)/;

/** Store failures that are temporary or that the operator resolves; all others are defects of the service. */
const kinds: readonly FailureKind[] = [unavailable, diskFull, diskFailed];

/** The store could not serve a request now. The cause is for the log. */
export class StoreUnavailable extends Refusal {
  readonly #kind: FailureKind;

  constructor(kind: FailureKind, cause: unknown) {
    super('UNAVAILABLE', kind.message, { retryAfter: kind.retryAfter });
    this.#kind = kind;
    this.cause = cause;
  }

  /** Whether the connection must be discarded. */
  get isAway(): boolean {
    return this.#kind === unavailable;
  }

  get isDiskFull(): boolean {
    return this.#kind === diskFull;
  }
}

/** Converts a driver error to a refusal if the store is unavailable, and returns any other error unchanged. */
export function storeFailure(error: unknown): unknown {
  const kind = kinds.find(({ matches }) => matches(error as DriverError));
  return kind ? new StoreUnavailable(kind, error) : error;
}

/** No connection could be opened, for any reason. */
export function unreachable(error: unknown): StoreUnavailable {
  return new StoreUnavailable(unavailable, error);
}

/** The disk reserve can not be allocated, so the change is not attempted. */
export function reserveMissing(): StoreUnavailable {
  return new StoreUnavailable(diskFull, new Error('not enough disk space for the reserve'));
}

/** The driver's message for the operator; an AggregateError has none of its own. */
export function causeOf({ cause }: Pick<Error, 'cause'>): string {
  const { message, errors = [], code } = cause as AggregateError & DriverError;
  return message || String((errors[0] as Error | undefined)?.message ?? code);
}

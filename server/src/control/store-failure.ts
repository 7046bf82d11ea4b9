import { Refusal } from '../platform/errors.ts';
import { isFull, isIoFailure } from '../platform/sqlite-error.ts';

/** What a driver throws: Node's own errors have a code, those of PostgreSQL an SQLSTATE, those of SQLite numbers, some only a message. */
interface DriverError {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly systemErrno?: unknown;
  readonly message?: unknown;
}

interface FailureKind {
  /** For clients: what is wrong and what to do, without the address or the inner detail. */
  readonly message: string;
  /** Seconds after which it is worth to ask again. */
  readonly retryAfter: number;
  holds(error: DriverError): boolean;
}

const away: FailureKind = {
  message: 'The control store can not be reached or is overloaded: try again in a few seconds.',
  // A database that restarts is back by then.
  retryAfter: 5,
  holds: ({ code, message }) => awayCodes.test(String(code)) || awayMessages.test(String(message)),
};

const diskFull: FailureKind = {
  message:
    'The disk of the control store is full and nothing was changed: ask your operator to free some space, then try again.',
  // Long enough for a person to free some space.
  retryAfter: 60,
  holds: (error) => error.code === '53100' || isFull(error),
};

const diskFailed: FailureKind = {
  message:
    'The disk of the control store failed and nothing was changed: ask your operator to look at the log.',
  retryAfter: 60,
  holds: (error) => error.code === '58030' || isIoFailure(error),
};

/**
 * Of the system: no connection. Of PostgreSQL: connection exceptions, not a primary any more, idle in a transaction for too long, too
 * many connections, out of memory, statement timeout, shutting down, crashed, starting up, connection closed.
 */
const awayCodes =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|08\w{3}|25006|25P03|53200|53300|57014|57P0[1-35])$/;
const awayMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (?:has encountered a connection error|was closed) and is not queryable)/;

/** Failures of the store that pass by themselves or that the operator puts right; others are defects of the service. */
const kinds: readonly FailureKind[] = [away, diskFull, diskFailed];

/** A change or a read that the store could not serve now. The cause is for the log. */
export class StoreUnavailable extends Refusal {
  readonly #kind: FailureKind;

  constructor(kind: FailureKind, cause: unknown) {
    super('UNAVAILABLE', kind.message, { retryAfter: kind.retryAfter });
    this.#kind = kind;
    this.cause = cause;
  }

  /** Whether there is no use in asking on the same connection. */
  get isAway(): boolean {
    return this.#kind === away;
  }

  get isDiskFull(): boolean {
    return this.#kind === diskFull;
  }
}

/** What to throw for an error of a driver: a refusal if the store can not serve now, else the error itself. */
export function storeFailure(error: unknown): unknown {
  const kind = kinds.find(({ holds }) => holds(error as DriverError));
  return kind ? new StoreUnavailable(kind, error) : error;
}

/** No connection could be made, whatever the reason. */
export function unreachable(error: unknown): StoreUnavailable {
  return new StoreUnavailable(away, error);
}

/** There is no room for the reserve, so nothing is tried. */
export function withoutReserve(): StoreUnavailable {
  return new StoreUnavailable(diskFull, new Error('there is no room for the reserve'));
}

/** The driver's own words, for the operator; an error about several addresses has none of its own. */
export function causeOf({ cause }: Pick<Error, 'cause'>): string {
  const { message, errors = [], code } = cause as AggregateError & DriverError;
  return message || String((errors[0] as Error | undefined)?.message ?? code);
}

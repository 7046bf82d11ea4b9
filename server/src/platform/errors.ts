import { quoted } from './quoted.ts';

interface ErrorKind {
  readonly status: number;
  readonly meaning: string;
}

/** All error codes. Programs match the code; the message is for people. */
export const errorTable = {
  MALFORMED_BODY: { status: 400, meaning: 'The body is not valid JSON.' },
  UNSUPPORTED_CONTENT: { status: 400, meaning: 'The Content-Type or Content-Encoding is not supported.' },
  BODY_TOO_LARGE: { status: 400, meaning: 'The body is larger than the limit.' },
  MALFORMED_REQUEST: {
    status: 400,
    meaning: 'The request is not valid HTTP, or its path can not be decoded.',
  },
  INVALID_INPUT: {
    status: 400,
    meaning: 'A header, path, query or body member has an invalid value; `problems` lists all of them.',
  },
  INVALID_FIELD: {
    status: 400,
    meaning: 'A filter or `returns` names a field that the records do not have.',
  },
  INVALID_FILTER: { status: 400, meaning: 'A filter has an invalid operator or value.' },
  INVALID_QUERY: { status: 400, meaning: 'The query is invalid; the message says where.' },
  INVALID_TIME_RANGE: { status: 400, meaning: 'The time range is reversed or longer than 7 days.' },
  RESULT_TOO_LARGE: { status: 400, meaning: 'The search matches more rows than one response may have.' },
  CHANNEL_FAILED: {
    status: 400,
    meaning: 'The receiver of the channel rejected the message; the error message says why.',
  },
  UNAUTHENTICATED: { status: 401, meaning: 'The token or the key is missing, wrong, expired or disabled.' },
  FORBIDDEN: { status: 403, meaning: 'The role of the caller does not allow this.' },
  INVALID_ACCOUNT: {
    status: 403,
    meaning: 'The caller has no access to the account in Account-Name.',
  },
  NOT_FOUND: { status: 404, meaning: 'Nothing matches the path or the id.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists but does not take this method.' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request was not received completely in time.' },
  CONFLICT: {
    status: 409,
    meaning: 'The change conflicts with the current state, or a quota of the account is used up.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning: 'The hourly limit of the operation is exceeded, or too many wrong secrets were sent.',
  },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The request headers are larger than the limit.' },
  INTERNAL: { status: 500, meaning: 'Internal error; the log has the cause under the request id.' },
  DATA_DAMAGED: {
    status: 500,
    meaning: 'Stored records that the request needs can not be read; the message names the days.',
  },
  UNAVAILABLE: { status: 503, meaning: 'The service is starting, stopping or overloaded; try again.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

/** A problem with one member of a request. */
export interface FieldProblem {
  /** Path of the member, such as `filters[0].field`; empty for the whole body. */
  readonly field: string;
  readonly message: string;
}

interface RefusalOptions {
  readonly retryAfter?: number | undefined;
  readonly problems?: readonly FieldProblem[] | undefined;
}

export const maxProblems = 20;

/** An error that is safe to show to the client: its message names the problem and the fix, never an internal detail. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  /** Seconds after which the client may retry. */
  readonly retryAfter: number | undefined;
  /** All problems, if they were collected; the message is that of the first. */
  readonly problems: readonly FieldProblem[] | undefined;

  constructor(code: ErrorCode, message: string, { retryAfter, problems }: RefusalOptions = {}) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
    this.problems = problems?.slice(0, maxProblems);
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** For a missing object and for one of another account. Clients match the first two words. */
export function notFound(kind: string, id: string | number): Refusal {
  return new Refusal('NOT_FOUND', `Not found: ${kind} ${quoted(String(id))}.`);
}

interface ErrorKind {
  readonly status: number;
  readonly meaning: string;
}

/** Every way the service refuses a request. The code is what programs match; the message is for people. */
export const errorTable = {
  MALFORMED_BODY: { status: 400, meaning: 'The body is not valid JSON.' },
  UNSUPPORTED_CONTENT: { status: 400, meaning: 'The Content-Type or Content-Encoding is not accepted.' },
  BODY_TOO_LARGE: { status: 400, meaning: 'The body is larger than the limit.' },
  MALFORMED_REQUEST: {
    status: 400,
    meaning: 'The request can not be read as HTTP or its path can not be decoded.',
  },
  INVALID_INPUT: {
    status: 400,
    meaning: 'A header, path, query or body member has a value that is not accepted.',
  },
  INVALID_FIELD: {
    status: 400,
    meaning: 'A filter or `returns` names a field that the records do not have.',
  },
  INVALID_FILTER: { status: 400, meaning: 'A filter has an operator or value that is not accepted.' },
  INVALID_QUERY: { status: 400, meaning: 'The text of the query is wrong; the message says where.' },
  INVALID_TIME_RANGE: { status: 400, meaning: 'The time range is reversed or longer than 7 days.' },
  RESULT_TOO_LARGE: { status: 400, meaning: 'The search matches more rows than one answer may hold.' },
  CHANNEL_FAILED: {
    status: 400,
    meaning: 'The other side of the channel did not take the message; the message says what it answered.',
  },
  UNAUTHENTICATED: { status: 401, meaning: 'The token or the key is missing, wrong, expired or disabled.' },
  FORBIDDEN: { status: 403, meaning: 'The role of the caller does not allow this.' },
  INVALID_ACCOUNT: {
    status: 403,
    meaning: 'The account named by Account-Name can not be used by the caller.',
  },
  NOT_FOUND: { status: 404, meaning: 'Nothing matches the path or the id.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists but does not take this method.' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive completely in time.' },
  CONFLICT: {
    status: 409,
    meaning: 'The change contradicts the present state, or the account holds the most that it may.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning: 'The hourly limit of this functionality is used up, or wrong secrets were given too often.',
  },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The request headers are larger than the limit.' },
  INTERNAL: { status: 500, meaning: 'The service failed; the log holds the cause under the request id.' },
  DATA_DAMAGED: {
    status: 500,
    meaning: 'Stored records that the request needs can not be read; the message names the days.',
  },
  UNAVAILABLE: { status: 503, meaning: 'The service is starting, stopping or overloaded; try again.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

/** A refusal that is safe to show: its message names what is wrong and what to do, never an inner detail. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  /** Seconds after which it is worth to ask again. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { retryAfter }: { readonly retryAfter?: number | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

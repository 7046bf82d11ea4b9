/** A request that failed: the message is written for people, the id finds the request in the log of the service. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** 0 if there was no response. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(status: number, { message, code, requestId }: ProblemBody) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

interface ProblemBody {
  readonly message: string;
  readonly code: string;
  readonly requestId?: string | undefined;
}

/** The problem of a response that is no success, which a proxy may have written. */
export function problemOf(status: number, body: unknown): Problem {
  const { message, code, requestId } = (body ?? {}) as Partial<ProblemBody>;
  return new Problem(status, {
    message: message ?? `The server responded with status ${status}. Try again in a moment.`,
    code: code ?? 'UNEXPECTED_RESPONSE',
    requestId,
  });
}

export const unreachable = () =>
  new Problem(0, {
    message: 'The server cannot be reached. Check the network connection, then try again.',
    code: 'UNREACHABLE',
  });

/** One request to somebody else's server. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds from the first byte sent to the last one received; 30 seconds unless said. */
  readonly timeout?: number;
  /** For servers that people run themselves with a certificate of their own. */
  readonly acceptsAnyCertificate?: boolean;
  /** A redirect is a reply like any other: what is signed for one host is of no use to another. */
  readonly isForHostOnly?: boolean;
}

export interface OutboundReply {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of it where it is long. */
  readonly text: string;
}

/**
 * The one way out. It reaches no private, loopback, link-local or metadata address unless the operator allows it, follows
 * redirects only to addresses that it would reach itself, and bounds time and size.
 */
export interface Outbound {
  /** Any status is a reply; what gave none is thrown as an `OutboundError`. */
  request(request: OutboundRequest): Promise<OutboundReply>;
}

/** Nobody answered, or the address may not be asked. */
export class OutboundError extends Error {
  /** Whether another try can not end otherwise. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

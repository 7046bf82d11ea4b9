/** A request to an external server. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Total timeout in milliseconds; default 30 seconds. */
  readonly timeout?: number;
  /** For self-hosted servers with a self-signed certificate. */
  readonly acceptsAnyCertificate?: boolean;
  /** Returns redirects instead of following them: a signature for one host is useless to another. */
  readonly isForHostOnly?: boolean;
}

export interface OutboundReply {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Truncated if it is long. */
  readonly text: string;
}

/**
 * The outbound client. It reaches private, loopback, link-local and metadata addresses only if the operator allows
 * them, checks the target of every redirect in the same way, and limits time and size.
 */
export interface Outbound {
  /** Resolves with any HTTP status; throws an `OutboundError` if there is no reply. */
  request(request: OutboundRequest): Promise<OutboundReply>;
}

/** The server did not respond, or its address is not allowed. */
export class OutboundError extends Error {
  /** Whether a retry is pointless. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

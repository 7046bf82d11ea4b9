/** Timeouts of clients, in milliseconds. */
export interface TimeLimits {
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
  /** Without any traffic in either direction. */
  readonly silence: number;
  /** Without reading any of a pending response. */
  readonly unread: number;
  /** Per MiB of a pending response, on average, so that a slow reader cannot hold a connection for hours. */
  readonly perMebibyte: number;
}

export const defaultTimeLimits: TimeLimits = {
  headers: 15_000,
  request: 60_000,
  keepAlive: 75_000,
  silence: 120_000,
  unread: 30_000,
  perMebibyte: 32_000,
};

/** A connection has no traffic while its search is queued and running; the search must time out first. */
export function timeLimitsFor(searchSeconds: number): TimeLimits {
  const longest = (2 * searchSeconds + 30) * 1_000;
  return { ...defaultTimeLimits, silence: Math.max(defaultTimeLimits.silence, longest) };
}

/** Maximum numbers of concurrent connections. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one IPv4 address or IPv6 network; trusted proxies are not counted. */
  readonly perAddress: number;
}

export const defaultConnectionLimits: ConnectionLimits = { total: 4_096, perAddress: 512 };

/** Unanswered requests on one connection, including the one being handled. */
export const maxPipelined = 16;
/** Header bytes of the queued requests of one connection. */
export const maxQueuedHeaderBytes = 32_768;

/** The largest request that clients of the specification send. */
export const bodyLimit = 1_048_576;
export const headerLimit = 16_384;

/** Options of Node's HTTP server. */
export function nodeLimits({ headers }: TimeLimits) {
  return {
    maxHeaderSize: headerLimit,
    headersTimeout: headers,
    // Node enforces its timeouts only at this interval.
    connectionsCheckingInterval: headers / 3,
    // Checked by the server itself, which also rejects duplicate Host headers, in the common error format.
    requireHostHeader: false,
  };
}

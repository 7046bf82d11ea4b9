/** How long a client may take, in milliseconds. */
export interface TimeLimits {
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
  /** Neither sending nor reading anything. */
  readonly silence: number;
  /** Reading nothing of an answer that waits for it. */
  readonly unread: number;
  /** For each MiB of an answer that waits, on average: slow readers may not hold a connection for hours. */
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

/** A connection is silent while a search waits for its turn and while it runs; the search ends first. */
export function timeLimitsFor(searchSeconds: number): TimeLimits {
  const longest = (2 * searchSeconds + 30) * 1_000;
  return { ...defaultTimeLimits, silence: Math.max(defaultTimeLimits.silence, longest) };
}

/** How many connections there may be at once. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one IPv4 address or IPv6 network; trusted proxies are not counted. */
  readonly perAddress: number;
}

export const defaultConnectionLimits: ConnectionLimits = { total: 4_096, perAddress: 512 };

/** Requests of one connection that may wait for their answers, the one that is being answered among them. */
export const maxPipelined = 16;
/** Bytes of the headers of those that wait. */
export const maxQueuedHeaderBytes = 32_768;

/** The specification's clients send at most this much in one request. */
export const bodyLimit = 1_048_576;
export const headerLimit = 16_384;

/** What Node's own server is told. */
export function nodeLimits({ headers }: TimeLimits) {
  // Node looks for late clients only so often.
  return {
    maxHeaderSize: headerLimit,
    headersTimeout: headers,
    connectionsCheckingInterval: headers / 3,
    // Refused in our own form, where a second one is too.
    requireHostHeader: false,
  };
}

/** How long a client may take, in milliseconds. */
export interface TimeLimits {
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
  /** Neither sending nor reading anything. */
  readonly silence: number;
}

export const usualTimeLimits: TimeLimits = {
  headers: 15_000,
  request: 60_000,
  keepAlive: 75_000,
  silence: 120_000,
};

/** A connection is silent while a search waits for its turn and while it runs; the search ends first. */
export function timeLimitsFor(searchSeconds: number): TimeLimits {
  const longest = (2 * searchSeconds + 30) * 1_000;
  return { ...usualTimeLimits, silence: Math.max(usualTimeLimits.silence, longest) };
}

/** The specification's clients send at most this much in one request. */
export const bodyLimit = 1_048_576;
export const headerLimit = 16_384;

/** What Node's own server is told. */
export function nodeLimits({ headers }: TimeLimits) {
  // Node looks for late clients only so often.
  return { maxHeaderSize: headerLimit, headersTimeout: headers, connectionsCheckingInterval: headers / 3 };
}

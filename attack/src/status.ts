/** An answer, a refusal, or "later": anything but a failure of the server or a connection that broke. */
export function isAcceptable(status: number): boolean {
  return (status >= 200 && status < 500) || status === 503;
}

/** As above, or the connection was closed (0), which is a fair reply to a client that does not play by the rules. */
export function isAcceptableOrClosed(status: number): boolean {
  return status === 0 || isAcceptable(status);
}

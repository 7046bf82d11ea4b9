/** Success, client error or 503: anything but a server error or a broken connection. */
export function isAcceptable(status: number): boolean {
  return (status >= 200 && status < 500) || status === 503;
}

/** Also accepts a closed connection (0), a valid reaction to a misbehaving client. */
export function isAcceptableOrClosed(status: number): boolean {
  return status === 0 || isAcceptable(status);
}

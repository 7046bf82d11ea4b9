/** With this prefix browsers accept the cookie from this host only, over HTTPS or on loopback, and for all paths. */
const name = '__Host-vedette';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The value of the session in a Cookie header; undefined if there is none. */
export function sessionValueOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=');
    if (separator > 0 && pair.slice(0, separator).trim() === name)
      return pair.slice(separator + 1).trim() || undefined;
  }
  return undefined;
}

export function sessionCookie(value: string): string {
  return `${name}=${value}; ${attributes}`;
}

export function clearedCookie(): string {
  return `${sessionCookie('')}; Max-Age=0`;
}

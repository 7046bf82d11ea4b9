/** The path to return to after the sign-in; undefined unless it stays on this site. */
export function ownPath(path: string | undefined): string | undefined {
  // Browsers read a backslash as a slash, and two slashes start another host.
  return path && /^\/(?![/\\])/.test(path) && !path.includes('\\') ? path : undefined;
}

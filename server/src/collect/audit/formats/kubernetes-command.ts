const maxLength = 4_000;

/** The command of `kubectl exec`, which the URI of the request has as repeated parameters. */
export function commandOf(uri: unknown): string | undefined {
  const query = /\/exec\?(.*)$/s.exec(String(uri ?? ''))?.[1];
  if (query === undefined) return undefined;
  const command = new URLSearchParams(query.slice(0, maxLength)).getAll('command').join(' ');
  return command || undefined;
}

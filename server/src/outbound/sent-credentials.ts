/** Headers without credentials; any other header may hold one. */
const publicHeaders = new Set([
  ...['accept', 'content-type', 'content-length', 'host', 'user-agent', 'vedette-delivery-id'],
  ...['x-amz-content-sha256', 'x-amz-date', 'x-amz-target'],
]);

/** Credentials in request headers: each value, the part after its scheme, and the decoded Basic credentials. */
export function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => !publicHeaders.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...afterScheme(value)]);
}

function afterScheme(value: string): string[] {
  const [, scheme = '', rest = ''] = /^([\w-]+) +(\S+)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [rest];
  const pair = Buffer.from(rest, 'base64').toString('utf8');
  return [rest, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** Headers that every receiver may repeat; what any other one holds may sign in. */
const open = new Set([
  ...['accept', 'content-type', 'content-length', 'host', 'user-agent', 'vedette-delivery-id'],
  ...['x-amz-content-sha256', 'x-amz-date', 'x-amz-target'],
]);

/** What of the headers of a request signs in: each value, what follows its scheme, and what Basic hides. */
export function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => !open.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...afterScheme(value)]);
}

function afterScheme(value: string): string[] {
  const [, scheme = '', rest = ''] = /^([\w-]+) +(\S+)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [rest];
  const pair = Buffer.from(rest, 'base64').toString('utf8');
  return [rest, pair, pair.slice(pair.indexOf(':') + 1)];
}

import type { Entity } from './finding.ts';

/** By kind, the members with the display name, in order of preference. */
const nameMembers = new Map<string, readonly string[]>(
  Object.entries({
    API: ['api'],
    Application: ['appname', 'application'],
    Container: ['containername', 'name', 'containerid'],
    CT_User: ['username', 'principalid'],
    DnsName: ['hostname', 'fqdn'],
    FileDataHash: ['filedatahash'],
    FileExePath: ['exepath', 'path'],
    IpAddress: ['ipaddr'],
    Machine: ['hostname'],
    Process: ['exepath', 'filepath', 'cmdline'],
    Region: ['region'],
    Resource: ['value', 'name'],
    SourceIpAddress: ['ipaddr'],
    User: ['username'],
  }),
);
const usual = ['resourcekey', 'arn', 'urn', 'name', 'path'];

/** The display name of an entity; its whole key if it has none. */
export function nameOf({ kind, key, props }: Entity): string {
  const values = new Map(
    [...Object.entries(props), ...Object.entries(key)]
      .filter(([, value]) => ['string', 'number', 'bigint'].includes(typeof value) && value !== '')
      .map(([name, value]) => [name.toLowerCase().replaceAll('_', ''), String(value)]),
  );
  const member = [...(nameMembers.get(kind) ?? []), ...usual].find((name) => values.has(name));
  if (member !== undefined) return values.get(member) as string;
  return Object.values(key)
    .filter((value) => value !== null && typeof value !== 'object')
    .join(' ');
}

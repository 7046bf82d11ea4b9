import type { TObject } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import type { IntegrationData } from './declaration.ts';
import { type MarkedMember, markedMembers, readMember } from './marked-members.ts';
import { type DestinationMark, destinationMark } from './members.ts';

type Destination = MarkedMember<DestinationMark>;

const cache = new WeakMap<TObject, readonly Destination[]>();

/** Members of `data` that determine where its secrets are sent. */
export function destinationMembers(schema: TObject): readonly Destination[] {
  const members = cache.get(schema) ?? markedMembers<DestinationMark>(schema, destinationMark);
  cache.set(schema, members);
  return members;
}

/** Rejects a new destination for stored secrets: the caller must provide them again, to prove knowledge of them. */
export function refuseRedirection(
  schema: TObject,
  kept: readonly (readonly string[])[],
  { before, after }: { readonly before: IntegrationData; readonly after: IntegrationData },
): void {
  const changed = destinationMembers(schema).filter(
    ({ path, mark }) =>
      normalizedDestination(before, path, mark) !== normalizedDestination(after, path, mark),
  );
  if (changed.length === 0 || kept.length === 0) return;
  const secrets = kept.map(qualified).join(' and ');
  const members = changed.map(({ path }) => qualified(path)).join(' and ');
  throw new Refusal(
    'INVALID_INPUT',
    `${secrets} must be given again because ${members} changed: a stored secret is not sent to another destination.`,
  );
}

/** Normalizes only where the host certainly stays the same, so that a changed destination never compares equal. */
function normalizedDestination(
  data: IntegrationData,
  path: readonly string[],
  mark: DestinationMark,
): string {
  const given = readMember(data, path);
  const value = given === undefined || given === null || given === '' ? mark.leftOut : given;
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  const [, scheme = 'https', authority = '', rest = ''] =
    /^(?:(https?):\/\/)?([^/?#\\]*)(.*)$/is.exec(value.trim()) ?? [];
  const [protocol, host] = [scheme, authority].map(asciiLowerCase);
  if (mark.within !== undefined && protocol === 'https' && isWithin(host ?? '', mark.within))
    return mark.within;
  return `${protocol}://${host}${rest.replace(/(?<!\/)\/+$/, '')}`;
}

/** `toLowerCase` maps some non-ASCII letters to ASCII, but they are distinct in host names. */
function asciiLowerCase(value: string): string {
  return value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && /^[a-z0-9.-]+$/.test(host));
}

function qualified(path: readonly string[]): string {
  return `data.${path.join('.')}`;
}

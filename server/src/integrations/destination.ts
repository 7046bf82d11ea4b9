import type { TObject } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import type { IntegrationData } from './declaration.ts';
import { type MarkedMember, markedMembers, readMember } from './marked-members.ts';
import { type DestinationMark, destinationMark } from './members.ts';

type Destination = MarkedMember<DestinationMark>;

const known = new WeakMap<TObject, readonly Destination[]>();

/** Members of `data` that decide where its secrets are sent. */
export function destinationMembers(schema: TObject): readonly Destination[] {
  const members = known.get(schema) ?? markedMembers<DestinationMark>(schema, destinationMark);
  known.set(schema, members);
  return members;
}

/** Refuses to keep a stored secret that would be sent elsewhere: only who knows it may give it to another receiver. */
export function refuseRedirection(
  schema: TObject,
  kept: readonly (readonly string[])[],
  { before, after }: { readonly before: IntegrationData; readonly after: IntegrationData },
): void {
  const changed = destinationMembers(schema).filter(
    ({ path, mark }) => placeIn(before, path, mark) !== placeIn(after, path, mark),
  );
  if (changed.length === 0 || kept.length === 0) return;
  const missing = kept.map(named).join(' and ');
  const reasons = changed.map(({ path }) => named(path)).join(' and ');
  throw new Refusal(
    'INVALID_INPUT',
    `${missing} must be given again because ${reasons} changed: a stored secret is not sent to another destination.`,
  );
}

/** Equal texts are the same place; different ones may be, and are only taken for it where no host could differ. */
function placeIn(data: IntegrationData, path: readonly string[], mark: DestinationMark): string {
  const given = readMember(data, path);
  const value = given === undefined || given === null || given === '' ? mark.leftOut : given;
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  const [, scheme = 'https', authority = '', rest = ''] =
    /^(?:(https?):\/\/)?([^/?#\\]*)(.*)$/is.exec(value.trim()) ?? [];
  const [protocol, host] = [scheme, authority].map(inLowerCase);
  if (mark.within !== undefined && protocol === 'https' && isWithin(host ?? '', mark.within))
    return mark.within;
  return `${protocol}://${host}${rest.replace(/(?<!\/)\/+$/, '')}`;
}

/** Other scripts have letters that become ASCII ones in lower case, which are not the same in a name. */
function inLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && /^[a-z0-9.-]+$/.test(host));
}

function named(path: readonly string[]): string {
  return `data.${path.join('.')}`;
}
